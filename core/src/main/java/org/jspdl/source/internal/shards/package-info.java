/// How the items of shards are put in order and dealt to ranks: read [org.jspdl.source.internal.shards.WindowCursor].
package org.jspdl.source.internal.shards;
