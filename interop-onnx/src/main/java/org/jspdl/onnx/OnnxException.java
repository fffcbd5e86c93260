package org.jspdl.onnx;

/// ONNX Runtime refused a model or failed while running it.
public final class OnnxException extends RuntimeException {
    private static final long serialVersionUID = 1;

    OnnxException(String message, Throwable cause) {
        super(message, cause);
    }
}
