/// Where bytes lie: objects on local disks, web servers and object stores, behind one small interface.
///
/// Not here: what the bytes mean (datasets, shards), and keeping them nearer (caches). Read
/// [org.jspdl.data.storage.Storage] first.
package org.jspdl.data.storage;
