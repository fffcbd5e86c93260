/// The JPEG decoder: what a file is, and its samples, in Java alone.
///
/// Sequential and progressive files of 8 bits with Huffman codes; entropy decoding, the inverse transform, and nothing
/// for what is not seen. No native code. Not here: planes to pixels (`org.jspdl.media.internal.resample`). Read
/// [org.jspdl.media.internal.jpeg.JpegDecoder] first.
package org.jspdl.media.internal.jpeg;
