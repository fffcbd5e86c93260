/// The TurboJPEG library of the machine (`libturbojpeg.so.0`, API 2.1 as 3.x still offers it): the fast path for JPEG.
///
/// Not here: what is done with the planes. Read [org.jspdl.media.internal.turbojpeg.TurboJpeg] first.
package org.jspdl.media.internal.turbojpeg;
