package org.jspdl.data.image;

/// An image that a data service can't give as a local run would see it: nothing is wrong with the file.
public final class NotServableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotServableException(String message) {
        super(message);
    }
}
