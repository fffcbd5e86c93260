/// From a picture file to planes of samples: one codec for each library, and which of them decodes what.
///
/// Not here: headers (`org.jspdl.media.internal.header`), resizing (`org.jspdl.media.internal.resample`).
/// Read [org.jspdl.media.internal.codec.ImageCodecs] first.
package org.jspdl.media.internal.codec;
