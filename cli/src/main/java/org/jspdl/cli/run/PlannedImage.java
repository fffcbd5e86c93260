package org.jspdl.cli.run;

import java.util.List;
import java.util.random.RandomGenerator;
import org.jspdl.input.DecodeException;

/// One image on its way through a plan. Owned by one stage at a time; closing gives up whatever it still holds.
///
/// @param rows where its row came from
record PlannedImage(ImageFile file, Sample sample, ImageRows rows) implements AutoCloseable {

    /// Reads the file. A failure is kept for the decoding, so that all failures of a file count in one stage.
    PlannedImage read() {
        file.read(sample, rows);
        return this;
    }

    /// Decodes the file's bytes into the row, by chance where the plan says so, and releases them.
    PlannedImage decode(RandomGenerator random) {
        try {
            rows.decoder().decodeInto(sample.encoded(), sample.row().segment(), random);
        } catch (DecodeException failure) {
            throw failure.withSource(file.location());
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
            Sample sample = images.get(gathered.order()[i]).sample;
            indices[i] = sample.index();
            labels[i] = sample.label();
        }
        return new ImageBatch(gathered.tensor(), labels, indices);
    }

    @Override
    public void close() {
        try (file) {
            sample.close();
        }
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
