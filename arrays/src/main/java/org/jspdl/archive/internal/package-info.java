/// What the parsers of arrays, archives and WAV files share: numbers in bytes, files as bytes, deflated data.
///
/// Not here: any format. Read [org.jspdl.archive.internal.LittleEndian] first.
package org.jspdl.archive.internal;
