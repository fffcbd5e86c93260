/// Headers of picture files: the format, the size, where the coded picture lies, each number read within the file's
/// bounds.
///
/// Not here: decoding (`org.jspdl.media.internal.codec`).
/// Read [org.jspdl.media.internal.header.ImageHeaders] first.
package org.jspdl.media.internal.header;
