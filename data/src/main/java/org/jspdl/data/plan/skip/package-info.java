/// Samples that sources of plans leave out. Read [SkippedNames].
package org.jspdl.data.plan.skip;
