/// Arrays in files: NPY, NPZ and safetensors, as views of the file's bytes where the format allows.
///
/// A view borrows its bytes; a tensor owns them. Not here: the archives themselves (`org.jspdl.archive`).
/// Read [org.jspdl.array.ArrayView] first.
package org.jspdl.array;
