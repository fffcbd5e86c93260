/// Writing sound and pictures: encoders, muxers, and where they write.
///
/// Not here: encoded still images (`org.jspdl.media.image`). Read [org.jspdl.media.encode.Muxer] first.
package org.jspdl.media.encode;
