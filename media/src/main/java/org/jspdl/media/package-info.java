/// What a picture file is, for everything that reads one.
///
/// Not here: decoding ([org.jspdl.media.image], [org.jspdl.media.video]).
/// Read [org.jspdl.media.ImageFormat] first.
package org.jspdl.media;
