/// Audio: WAV files read and written by parsers of our own.
///
/// Read [org.jspdl.media.audio.Wav] first.
package org.jspdl.media.audio;
