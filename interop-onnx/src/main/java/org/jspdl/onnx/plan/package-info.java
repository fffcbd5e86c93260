/// ONNX models as steps of plans. Read [OnnxModels] first.
package org.jspdl.onnx.plan;
