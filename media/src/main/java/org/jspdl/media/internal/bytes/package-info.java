/// Numbers in bytes, and files as bytes: what the parsers of arrays, archives and recordings share.
///
/// Not here: any format. Read [org.jspdl.media.internal.bytes.Little] first.
package org.jspdl.media.internal.bytes;
