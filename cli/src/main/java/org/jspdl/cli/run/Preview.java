package org.jspdl.cli.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import org.jspdl.data.image.ImageBatch;
import org.jspdl.media.image.ContactSheet;
import org.jspdl.media.image.ImageSpec;

/// A picture of a run's first batch, for looking at what the images have become.
///
/// @param file where it is written, as PNG
/// @param spec what the batch's images were made by
record Preview(Path file, ImageSpec spec) {
    private static final int COLUMNS = 8;

    /// Draws the images of `batch`, which stays the caller's.
    void draw(ImageBatch batch) {
        try {
            OutputFile.write(file, target -> ContactSheet.write(batch.images(), spec, COLUMNS, target));
        } catch (ClosedByInterruptException _) {
            // the thread is still interrupted: the run ends, and its report comes without the picture
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }
}
