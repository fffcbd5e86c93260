package org.jspdl.data.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspdl.archive.TarWriter;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.image.Isolation;
import org.jspdl.media.image.JpegBackend;
import org.jspdl.memory.SlabProvider;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The pools of source and steps, which fail to close while a lease is out, say whether everything was released.
class ImageStepsTest {
    @TempDir
    Path folder;

    @Test
    void anImageThatIsDroppedBeforeItIsReadReleasesItsRowAndItsSample() throws Exception {
        try (Storage storage = Storage.open();
                ImageSource source = source(storage);
                ImageSteps steps = steps();
                Cursor<ImageSample> images = source.images().open(0, Position.START)) {
            assertThat(images.advance()).isTrue();
            steps.allocate(images.item()).close();
            assertThat(images.advance()).isTrue();
            steps.allocate(images.item()).read().close();
        }
    }

    @Test
    void anImageThatIsLeftInTheSourceIsReleasedWithIt() throws Exception {
        try (Storage storage = Storage.open();
                ImageSource source = source(storage);
                Cursor<ImageSample> images = source.images().open(0, Position.START)) {
            assertThat(images.advance()).isTrue();
        }
    }

    private ImageSource source(Storage storage) throws IOException {
        Path shard = folder.resolve("a.tar");
        if (!Files.exists(shard)) {
            try (TarWriter tar = TarWriter.create(shard)) {
                for (int i = 0; i < 3; i++) {
                    tar.add(i + ".jpg", MemorySegment.ofArray(new byte[100]));
                }
            }
        }
        return ImageSource.open(storage, Location.of(shard), ImageLoaderOptions.defaults());
    }

    private static ImageSteps steps() {
        return ImageSteps.open(
                ImageSpec.exact(4, 4), JpegBackend.BEST, Isolation.auto(), 2, SlabProvider.nativeMemory());
    }
}
