/// Images: what is in a file, and how it becomes a row of a batch.
///
/// A decoder is a plain, thread-safe function, usable without a pipeline. Not here: threads and queues
/// (`org.jspdl.pipeline`), codec bindings (`org.jspdl.media.internal`). Read [org.jspdl.media.image.ImageDecoder]
/// first.
package org.jspdl.media.image;
