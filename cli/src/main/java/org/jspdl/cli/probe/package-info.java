/// What is inside of a file: a picture, arrays, an archive, or sound and video.
///
/// Not here: reading the content (`org.jspdl.media`). Read [org.jspdl.cli.probe.FileProbe] first.
package org.jspdl.cli.probe;
