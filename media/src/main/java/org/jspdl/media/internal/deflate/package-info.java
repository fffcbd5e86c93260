/// Decompression of deflated data: by libdeflate where the machine has it, else by the JDK.
///
/// Not here: archives. Read [org.jspdl.media.internal.deflate.Inflating] first.
package org.jspdl.media.internal.deflate;
