package org.jspdl.onnx;

/// ONNX Runtime refused a tensor or a model, or failed while running one.
public final class OnnxException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// @param cause what ONNX Runtime said
    public OnnxException(String message, Throwable cause) {
        super(message, cause);
    }
}
