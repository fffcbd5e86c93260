/// Archives: zip, TAR and TFRecord, read where they lie in memory or as a stream, and TAR and zip written.
///
/// Not here: what the members hold (`org.jspdl.array`, `image`, ...), or where archives are stored.
/// Read [org.jspdl.archive.TarArchive] first.
package org.jspdl.archive;
