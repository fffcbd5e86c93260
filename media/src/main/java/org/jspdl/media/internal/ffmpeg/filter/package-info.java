/// FFmpeg's filters of frames and packets, and what else its build has.
///
/// Not here: frames, packets and codecs (`org.jspdl.media.internal.ffmpeg`).
/// Read [org.jspdl.media.internal.ffmpeg.filter.AvFilter] first.
package org.jspdl.media.internal.ffmpeg.filter;
