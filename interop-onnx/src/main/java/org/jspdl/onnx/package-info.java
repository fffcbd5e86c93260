/// Tensors in ONNX Runtime, and its results as tensors, without a copy.
///
/// Read [OnnxModel] first. How models are made and which processors run them is ONNX Runtime's matter.
package org.jspdl.onnx;
