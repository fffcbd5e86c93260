/// Containers of sound and pictures and their packets: sources, demuxers, bitstream filters, packets as bytes.
///
/// Each step is a class of its own, so that a pipeline can put them on different stages.
/// Not here: what packets are decoded to (`org.jspdl.media.frame`), and writing (`org.jspdl.media.encode`).
/// Read [org.jspdl.media.stream.Demuxer] first.
package org.jspdl.media.stream;
