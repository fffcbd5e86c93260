package org.jspdl.spark.internal;

import java.io.IOException;
import org.jspdl.data.storage.FailureReasons;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StorageException;
import org.jspdl.input.FormatException;
import org.jspdl.pipeline.PipelineException;

/// Failures as Spark shows them: with the place, and so that they can be sent to the driver as text.
public final class Failures {
    private Failures() {}

    /// What says why `place` could not be read.
    public static IOException told(Exception failure, Location place) {
        return switch (failure) {
            case PipelineException wrapping when wrapping.getCause() instanceof Exception cause -> told(cause, place);
            case FormatException damaged -> new IOException(damaged.getMessage(), damaged);
            case StorageException unread -> unread; // which names the object
            case IOException unread ->
                new IOException("cannot read " + place + ": " + FailureReasons.of(unread, place), unread);
            default -> new IOException("cannot read " + place + ": " + failure, failure);
        };
    }
}
