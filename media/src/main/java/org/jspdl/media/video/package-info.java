/// Video as tensors: whole files, windows, single frames and clips, for training.
///
/// Not here: containers and codecs (`org.jspdl.media.stream`, `org.jspdl.media.frame`), resizing rules
/// (`org.jspdl.media.image`). Read [org.jspdl.media.video.Video] and [org.jspdl.media.video.VideoSpec] first.
package org.jspdl.media.video;
