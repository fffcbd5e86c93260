/// FFmpeg's libraries (release 8: libavutil 60, libavcodec 62, libswscale 9), from the jar on Maven Central or a
/// folder.
///
/// Loaded when first used. Not here: what is done with the pictures. Read [org.jspdl.media.internal.ffmpeg.AvCodec]
/// first.
package org.jspdl.media.internal.ffmpeg;
