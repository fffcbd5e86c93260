@org.jspecify.annotations.NullMarked
package org.jspdl.onnx.plan;
