/// Uncompressed sound in WAV files: its samples where they lie, converted, and written.
///
/// Not here: compressed sound (`org.jspdl.media.audio`). Read [org.jspdl.wav.Wav] first.
package org.jspdl.wav;
