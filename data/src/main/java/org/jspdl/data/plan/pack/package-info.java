/// What packing a plan decides beside the samples. Read [PackFailures].
package org.jspdl.data.plan.pack;
