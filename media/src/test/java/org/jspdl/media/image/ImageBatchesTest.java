package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspdl.input.DecodeException;
import org.jspdl.media.ImageFormat;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImageBatchesTest {
    private static final ImageSpec SPEC = ImageSpec.exact(20, 10);

    @Test
    void everyImageIsInTheRowOfItsIndex() {
        List<String> files = List.of("jpeg/420-121x87.jpg", "png/rgb-61x47.png", "jpeg/gray-97x131.jpg");
        try (Arena arena = Arena.ofConfined();
                BufferPool pool = BufferPool.create("batches", 1 << 20);
                ImageBatches batches = ImageBatches.of(SPEC, pool);
                Tensor batch = batches.decode(
                        files.stream().map(file -> TestFiles.load(file, arena)).toList())) {
            assertThat(batch.shape()).isEqualTo(Shape.of(3, 10, 20, 3));
            for (int i = 0; i < files.size(); i++) {
                assertThat(batch.row(i).toArray(ValueLayout.JAVA_BYTE))
                        .isEqualTo(JpegDecodingTest.decode(TestFiles.bytes(files.get(i)), SPEC, JpegBackend.BEST));
            }
        }
    }

    @Test
    void whatWasDrawnIsKeptWithTheBatch() {
        ImageSpec spec = ImageSpec.randomResizedCrop(20, 10).randomFlip(0.5).colorJitter(0.4, 0.4, 0.4, 0.1);
        try (Arena arena = Arena.ofConfined();
                BufferPool pool = BufferPool.create("batches", 1 << 20);
                ImageDecoder decoder = ImageDecoder.create(spec);
                ImageBatches batches = ImageBatches.of(spec, pool)) {
            List<MemorySegment> files =
                    List.of(TestFiles.load("jpeg/420-121x87.jpg", arena), TestFiles.load("png/rgb-61x47.png", arena));
            try (TransformedBatch batch =
                    batches.decodeAtRandom(files, List.of(new SplittableRandom(1), new SplittableRandom(2)))) {
                for (int i = 0; i < files.size(); i++) {
                    byte[] again = new byte[(int) spec.rowBytes()];
                    decoder.decodeInto(
                            files.get(i),
                            MemorySegment.ofArray(again),
                            batch.transforms().get(i));
                    assertThat(batch.images().row(i).toArray(ValueLayout.JAVA_BYTE))
                            .isEqualTo(again);
                }
            }
            assertThatThrownBy(() -> batches.decodeAtRandom(files, List.of(new SplittableRandom(1))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("2 images need as many generators but there are 1");
            assertThat(pool.outstanding()).isZero();
        }
    }

    @Test
    void aBatchWithADamagedImageGivesItsMemoryBack() {
        try (BufferPool pool = BufferPool.create("batches", 1 << 20);
                ImageBatches batches = ImageBatches.of(SPEC, pool)) {
            MemorySegment good = MemorySegment.ofArray(TestFiles.bytes("png/rgb-61x47.png"));

            assertThatThrownBy(() -> batches.decode(List.of(good, good.asSlice(0, 90))))
                    .isInstanceOf(DecodeException.class)
                    .hasMessageStartingWith("image 1 of 2: PNG of 90 bytes");

            assertThat(pool.outstanding()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 40})
    void severalThreadsMakeTheSameBatch(int threads) {
        List<MemorySegment> files = files(30);
        try (BufferPool pool = BufferPool.create("batches", 1 << 20);
                ImageBatches one = ImageBatches.of(SPEC, pool);
                ImageBatches several = ImageBatches.of(SPEC, pool, threads);
                Tensor expected = one.decode(files)) {
            for (int round = 0; round < 5; round++) {
                try (Tensor batch = several.decode(files)) {
                    assertThat(batch.segment().mismatch(expected.segment())).isEqualTo(-1);
                }
            }
        }
    }

    @Test
    void ofSeveralBrokenImagesTheFirstIsNamedWhateverThreadFindsIt() {
        List<MemorySegment> files = files(30);
        files.set(11, files.get(11).asSlice(0, 50));
        files.set(12, MemorySegment.ofArray(new byte[3]));
        files.set(29, files.get(29).asSlice(0, 60));
        try (BufferPool pool = BufferPool.create("batches", 1 << 20);
                ImageBatches batches = ImageBatches.of(SPEC, pool, 4)) {
            for (int round = 0; round < 20; round++) {
                assertThatThrownBy(() -> batches.decode(files))
                        .isInstanceOf(DecodeException.class)
                        .hasMessageStartingWith("image 11 of 30: ");
            }
            assertThat(pool.outstanding()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void theNextSoundImageStandsForABrokenOne(int threads) {
        List<MemorySegment> files = files(5);
        files.set(1, files.get(1).asSlice(0, 50));
        files.set(2, MemorySegment.ofArray(new byte[3]));
        files.set(4, files.get(4).asSlice(0, 60));
        try (BufferPool pool = BufferPool.create("batches", 1 << 20);
                ImageBatches batches = ImageBatches.of(SPEC, pool, threads);
                MendedBatch batch = batches.decodeSound(files)) {
            assertThat(batch.sources()).containsExactly(0, 3, 3, 3, 0);
            assertThat(batch.failures()).containsOnlyKeys(1, 2, 4);
            assertThat(batch.failures().get(2)).hasMessageStartingWith("image 2 of 5: not an image");
            for (int i = 0; i < 5; i++) {
                assertThat(batch.images().row(i).toArray(ValueLayout.JAVA_BYTE))
                        .isEqualTo(JpegDecodingTest.decode(
                                files.get(batch.sources().get(i)).toArray(ValueLayout.JAVA_BYTE),
                                SPEC,
                                JpegBackend.BEST));
            }
        }
    }

    @Test
    void aBatchOfBrokenImagesOnlyIsRefused() {
        try (BufferPool pool = BufferPool.create("batches", 1 << 20);
                ImageBatches batches = ImageBatches.of(SPEC, pool, 2)) {
            MemorySegment broken = MemorySegment.ofArray(new byte[3]);

            assertThatThrownBy(() -> batches.decodeSound(List.of(broken, broken)))
                    .isInstanceOf(DecodeException.class)
                    .hasMessageStartingWith("image 0 of 2: not an image");
            assertThatThrownBy(() -> batches.decodeSound(List.of())).isInstanceOf(IllegalArgumentException.class);
            assertThat(pool.outstanding()).isZero();
        }
    }

    private static List<MemorySegment> files(int count) {
        List<String> names = List.of("jpeg/420-121x87.jpg", "png/rgb-61x47.png", "jpeg/gray-97x131.jpg");
        return IntStream.range(0, count)
                .mapToObj(i -> MemorySegment.ofArray(TestFiles.bytes(names.get(i % names.size()))))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    @Test
    void anImageOfAnySizeIsLoadedInOneLine(@TempDir Path folder) throws java.io.IOException {
        byte[] file = TestFiles.bytes("png/rgb-61x47.png");
        Path path = Files.write(folder.resolve("picture"), file);

        try (Tensor image = Images.load(path, ImageSpec.original())) {
            assertThat(image.shape()).isEqualTo(Shape.of(47, 61, 3));
            assertThat(image.segment().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(TestFiles.decodedByImageIo(file));
        }
        assertThat(Images.probe(path).format()).isEqualTo(ImageFormat.PNG);
    }
}
