/// Small ONNX files, for tests and examples. Read [OnnxFile] first.
@org.jspecify.annotations.NullMarked
package org.jspdl.onnx.file;
