/// Tensors handed to other frameworks of the same process, and taken from them, by DLPack's C struct.
///
/// Read [org.jspdl.device.dlpack.DlPack] first.
package org.jspdl.device.dlpack;
