/// Decoded pictures and sound as they are: decoders, frames, filter graphs, frames of tensors.
///
/// Not here: containers and packets (`org.jspdl.media.stream`), tensors of clips and waveforms
/// (`org.jspdl.media.video`, `org.jspdl.media.audio`), still images.
/// Read [org.jspdl.media.frame.Decoder] first.
package org.jspdl.media.frame;
