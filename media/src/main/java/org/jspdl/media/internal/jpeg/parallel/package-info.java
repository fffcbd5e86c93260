/// Large JPEG pictures decoded by several threads, where restart markers let them begin in the middle.
///
/// Not here: what a JPEG file is (`org.jspdl.media.internal.jpeg`), and the threads, which callers lend
/// (`org.jspdl.media.internal.lifetime`). Read [org.jspdl.media.internal.jpeg.parallel.BandedDecoder] first.
package org.jspdl.media.internal.jpeg.parallel;
