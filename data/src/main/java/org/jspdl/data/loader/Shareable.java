package org.jspdl.data.loader;

/// A batch that can be given to several consumers, one after the other or at once.
///
/// @param <B> the type of the batch
public interface Shareable<B> {
    /// The same batch for a consumer who may read it, and whose closing frees nothing. Good until the batch itself
    /// is closed.
    B view();
}
