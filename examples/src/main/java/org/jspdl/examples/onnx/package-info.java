/// A runner of ONNX models over tensors, as an example of what the bridge `org.jspdl.onnx` is for.
///
/// Read [org.jspdl.examples.onnx.OnnxModel] first.
@org.jspecify.annotations.NullMarked
package org.jspdl.examples.onnx;
