/// Damage that FFmpeg's decoders do not tell.
///
/// Not here: what is done about it. Read [org.jspdl.media.internal.ffmpeg.damage.UnwrittenBlocks] first.
package org.jspdl.media.internal.ffmpeg.damage;
