/// TIFF files in Java: strips and tiles of every usual arrangement; what is not read is refused by its tag.
///
/// Not here: directories (`org.jspdl.media.internal.header`). Read [org.jspdl.media.internal.tiff.TiffReader] first.
package org.jspdl.media.internal.tiff;
