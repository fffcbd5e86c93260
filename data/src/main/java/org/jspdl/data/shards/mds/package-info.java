/// MDS files as shards. Read [org.jspdl.data.shards.mds.MdsFormat] first.
@org.jspecify.annotations.NullMarked
package org.jspdl.data.shards.mds;
