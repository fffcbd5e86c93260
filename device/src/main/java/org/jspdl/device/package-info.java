/// Batches in the memory of a device: pinned host memory, copies that overlap with computing, tensors over there.
///
/// Knows no framework: a device tensor is an address, a type and a shape. Read [org.jspdl.device.DeviceTransfer] first.
package org.jspdl.device;
