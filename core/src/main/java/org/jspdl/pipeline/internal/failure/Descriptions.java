package org.jspdl.pipeline.internal.failure;

import org.jspecify.annotations.Nullable;

/// What users' objects say about themselves, which may throw whatever it likes.
public final class Descriptions {
    private static final int LIMIT = 500;

    private Descriptions() {}

    /// The message of `failure`; its class if it has none, or none that can be had. Never throws.
    public static String of(Throwable failure) {
        try {
            String message = failure.getMessage();
            return message == null ? failure.getClass().getName() : message;
        } catch (Throwable unavailable) {
            return failure.getClass().getName();
        }
    }

    /// The class and the message of `failure`. Never throws.
    public static String withClass(Throwable failure) {
        String type = failure.getClass().getName();
        String message = of(failure);
        return message.equals(type) ? type : type + ": " + message;
    }

    /// The class of `failure` and where it was thrown, as far as that can be had. Never throws.
    static String kind(Throwable failure) {
        String type = failure.getClass().getName();
        try {
            StackTraceElement[] frames = failure.getStackTrace();
            return frames.length == 0 ? type : type + frames[0];
        } catch (Throwable unavailable) {
            return type;
        }
    }

    /// `value` as text of at most 500 characters. Never throws.
    public static String ofValue(@Nullable Object value) {
        if (value == null) {
            return "null";
        }
        try {
            String text = String.valueOf(value.toString());
            return text.length() <= LIMIT ? text : text.substring(0, LIMIT) + "...";
        } catch (Throwable failure) {
            return "a " + value.getClass().getName() + " whose toString failed: " + withClass(failure);
        }
    }
}
