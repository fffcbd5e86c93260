/// Tensors as ONNX Runtime sees them, without a copy.
///
/// Nothing here loads or runs a model: that is ONNX Runtime's matter, and `examples/` has a runner. Read [OnnxView]
/// first.
package org.jspdl.onnx;
