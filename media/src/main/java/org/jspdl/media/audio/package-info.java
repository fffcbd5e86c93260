/// Sound as tensors: whole files and windows, resampled, mixed and cut or padded to a length; and WAV files by a parser
/// of our own.
///
/// Not here: containers, codecs and encoders (`org.jspdl.media.stream`).
/// Read [org.jspdl.media.audio.Audio] and [org.jspdl.wav.Wav] first.
package org.jspdl.media.audio;
