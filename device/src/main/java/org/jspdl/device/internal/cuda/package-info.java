/// CUDA's driver library (`libcuda.so.1`), called by its C functions.
///
/// Loaded when a device is first asked for. Not here: rings, batches, tensors. Read
/// [org.jspdl.device.internal.cuda.CudaDriver] first.
package org.jspdl.device.internal.cuda;
