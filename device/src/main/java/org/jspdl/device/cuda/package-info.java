/// CUDA devices, by the C functions of the driver's library (`libcuda.so.1`).
///
/// Loaded when a device is first asked for. Not here: rings, batches, tensors. Read
/// [org.jspdl.device.cuda.CudaDevices] first.
package org.jspdl.device.cuda;
