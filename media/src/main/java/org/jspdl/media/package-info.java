/// What all media have in common: the exception for input that is not what its format says.
///
/// Not here: any format. Read [org.jspdl.media.FormatException] first.
package org.jspdl.media;
