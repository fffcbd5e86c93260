/// Bytes kept nearer than where they come from, in memory or on disk, under hard budgets.
///
/// A full cache keeps what it has: of a dataset larger than the cache, each epoch finds the same share, whatever its
/// order. Read [org.jspdl.data.cache.ByteCache] first, and [org.jspdl.data.cache.CachedStorage] to use one.
package org.jspdl.data.cache;
