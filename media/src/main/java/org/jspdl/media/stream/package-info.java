/// Streams of sound and pictures: containers, packets, decoders, frames, filters, encoders.
///
/// Each step is a class of its own, so that a pipeline can put them on different stages.
/// Not here: tensors of clips and waveforms (`org.jspdl.media.video`, `org.jspdl.media.audio`), still images.
/// Read [org.jspdl.media.stream.Demuxer] first.
package org.jspdl.media.stream;
