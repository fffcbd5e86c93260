/// Loaders with the names that users of PyTorch know, and the collation of samples into batches of tensors.
///
/// A loader is a pipeline put together; whoever needs more takes `org.jspdl.pipeline` itself. Read
/// [org.jspdl.data.loader.DataLoader] first.
package org.jspdl.data.loader;
