package org.jspdl.cli.run;

import java.io.IOException;
import java.util.List;
import org.jspdl.data.storage.Reasons;
import org.jspdl.media.image.DecodeException;
import org.jspdl.memory.PoolExhaustedException;

/// One image on its way through a plan. Owned by one stage at a time; closing gives up whatever it still holds.
///
/// @param rows where its row came from
record PlannedImage(ImageFile file, Sample sample, ImageRows rows) implements AutoCloseable {

    /// Reads the file. A failure is kept for the decoding, so that all failures of a file count in one stage.
    PlannedImage read() {
        try {
            sample.encoded(rows.read(file));
        } catch (IOException | PoolExhaustedException failure) {
            sample.unreadable(new ImageFileException(file.location(), Reasons.of(failure), failure));
        }
        return this;
    }

    /// Decodes the file's bytes into the row, and gives them back.
    PlannedImage decode() throws ImageFileException {
        try {
            rows.decoder().decodeInto(sample.encoded(), sample.row().segment());
        } catch (DecodeException failure) {
            throw new ImageFileException(file.location(), failure.reason(), failure);
        }
        sample.releaseEncoded();
        return this;
    }

    /// The images in one tensor, which the caller owns.
    static ImageBatch gather(List<PlannedImage> images) {
        PlannedImage first = images.getFirst();
        var gathered = first.rows.gather(
                images.stream().map(image -> image.sample.row()).toList());
        int[] indices = new int[images.size()];
        int[] labels = new int[images.size()];
        for (int i = 0; i < indices.length; i++) {
            ImageFile file = images.get(gathered.order()[i]).file;
            indices[i] = file.index();
            labels[i] = file.label();
        }
        return new ImageBatch(gathered.tensor(), labels, indices);
    }

    @Override
    public void close() {
        sample.close();
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
