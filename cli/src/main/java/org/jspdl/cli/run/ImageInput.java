package org.jspdl.cli.run;

import java.util.OptionalLong;
import org.jspdl.data.dataset.LeftOut;
import org.jspdl.data.rows.RowBlocks;
import org.jspdl.data.storage.Storage;
import org.jspdl.pipeline.Pipeline;

/// Where the images of a run come from. Closed after the run and after every batch.
public interface ImageInput extends AutoCloseable {
    /// What the images are read from.
    Storage storage();

    /// How many images an epoch has on this rank; empty if only reading tells.
    OptionalLong perEpoch();

    /// What the dataset holds besides images.
    default LeftOut leftOut() {
        return LeftOut.NONE;
    }

    /// The images in the order of the epoch, each with a row from `rows` and its bytes, or why there are none.
    Pipeline<Sample> samples(RowBlocks rows);

    @Override
    void close();
}
