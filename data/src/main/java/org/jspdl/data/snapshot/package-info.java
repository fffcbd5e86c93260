/// One snapshot of a dataset: which version of each file it is of. Read [FileVersions] first.
package org.jspdl.data.snapshot;
