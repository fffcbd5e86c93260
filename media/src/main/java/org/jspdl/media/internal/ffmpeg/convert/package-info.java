/// FFmpeg's conversions: of pixels by libswscale, of samples by libswresample.
///
/// Not here: frames, packets and codecs (`org.jspdl.media.internal.ffmpeg`).
/// Read [org.jspdl.media.internal.ffmpeg.convert.SwScale] first.
package org.jspdl.media.internal.ffmpeg.convert;
