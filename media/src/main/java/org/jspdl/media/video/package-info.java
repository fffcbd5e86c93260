/// Video as tensors: whole files, windows, single frames and clips, for training.
///
/// Not here: containers, codecs and encoders (`org.jspdl.media.stream`), resizing rules (`org.jspdl.media.image`).
/// Read [org.jspdl.media.video.Video] and [org.jspdl.media.video.VideoSpec] first.
package org.jspdl.media.video;
