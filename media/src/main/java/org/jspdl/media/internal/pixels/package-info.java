/// Pixels of a tensor made of decoded pictures of a video: scaled, colored, cut and turned.
///
/// Not here: which pictures (`org.jspdl.media.video`). Read [org.jspdl.media.internal.pixels.FrameConverter] first.
package org.jspdl.media.internal.pixels;
