/// FLAC by libFLAC where the machine has it; else it is left to FFmpeg.
///
/// Not here: tensors. Read [org.jspdl.media.internal.flac.FlacDecoder] first.
package org.jspdl.media.internal.flac;
