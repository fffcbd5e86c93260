/// From decoded planes to one tensor row: antialiased resampling, crop, flip, color conversion, element conversion.
///
/// Plain Java over eight bytes at a time; no native code and no allocation per image once the buffers have grown.
/// Not here: codecs (`org.jspdl.media.internal.<library>`). Read [org.jspdl.media.internal.resample.Resampler] first.
package org.jspdl.media.internal.resample;
