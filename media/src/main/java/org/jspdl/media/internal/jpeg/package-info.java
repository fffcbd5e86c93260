/// A decoder for baseline JPEG files in Java: entropy decoding, the inverse transform, and nothing for what is not
/// seen.
///
/// It decodes files that are sound and of the usual kind, and declines all others, which are left to a library. No
/// native code. Not here: planes to pixels (`org.jspdl.media.internal.resample`). Read
/// [org.jspdl.media.internal.jpeg.BaselineDecoder] first.
package org.jspdl.media.internal.jpeg;
