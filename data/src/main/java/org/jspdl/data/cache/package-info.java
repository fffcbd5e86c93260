/// Bytes kept nearer than where they come from, in memory or on disk, under hard budgets.
///
/// A full cache on disk gives up what is needed last, as far as readers have announced it. Of files in an order that is
/// not known it keeps what it has: each epoch finds the same share. Read [org.jspdl.data.cache.ByteCache] first, and
/// [org.jspdl.data.cache.CachedStorage] to use one.
package org.jspdl.data.cache;
