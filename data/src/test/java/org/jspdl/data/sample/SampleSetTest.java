package org.jspdl.data.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspdl.media.image.ImageDecoder;
import org.jspdl.media.image.ImageSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SampleSetTest {
    /// Of 20 images of the standard set; the same on every machine and with every JDK 25.
    private static final String DIGEST = "4447298e5940a7f8190afaae4d459e6ea397ce285b489f1870c50bf88cf8e5c1";

    @TempDir
    Path folder;

    @Test
    void theBytesAreTheSameOnEveryMachineAndWithAnyNumberOfThreads() throws Exception {
        SampleSet set = new SampleSet(20, SampleSet.STANDARD.seed());
        Path alone = Files.createDirectory(folder.resolve("alone"));
        Path together = Files.createDirectory(folder.resolve("together"));

        set.write(alone, 1, written -> {});
        set.write(together, 3, written -> {});

        assertThat(digest(alone)).isEqualTo(digest(together)).isEqualTo(DIGEST);
    }

    @Test
    void aLargerSetBeginsWithTheImagesOfASmallerOne() throws Exception {
        Path small = Files.createDirectory(folder.resolve("small"));
        Path large = Files.createDirectory(folder.resolve("large"));

        new SampleSet(5, 1).write(small, 2, written -> {});
        new SampleSet(10, 1).write(large, 2, written -> {});

        for (Path file : files(small)) {
            assertThat(large.resolve(small.relativize(file))).hasSameBinaryContentAs(file);
        }
    }

    @Test
    void progressCountsEveryImage() throws Exception {
        AtomicInteger most = new AtomicInteger();
        AtomicInteger calls = new AtomicInteger();

        new SampleSet(12, 1).write(folder, 2, written -> {
            calls.incrementAndGet();
            most.accumulateAndGet(written, Math::max);
        });

        assertThat(calls).hasValue(12);
        assertThat(most).hasValue(12);
    }

    @Test
    void theStandardSetHasTheSizesAndKindsOfPhotographs() {
        List<Photo> photos = IntStream.range(0, 1_000)
                .mapToObj(index -> Photo.of(SampleSet.STANDARD.seed(), index))
                .toList();

        assertThat(photos).allSatisfy(photo -> assertThat(photo.quality()).isBetween(85, 96));
        assertThat(mean(photos, Photo::width)).isCloseTo(470, within(30.0));
        assertThat(mean(photos, Photo::height)).isCloseTo(430, within(30.0));
        assertThat(share(photos, photo -> photo.chroma() == Photo.Chroma.YUV420))
                .isBetween(0.8, 0.95);
        assertThat(share(photos, photo -> photo.chroma() == Photo.Chroma.YUV444))
                .isBetween(0.04, 0.12);
        assertThat(share(photos, photo -> photo.chroma() == Photo.Chroma.YUV422))
                .isBetween(0.01, 0.06);
        assertThat(share(photos, photo -> photo.chroma() == Photo.Chroma.GRAY)).isBetween(0.01, 0.03);
        assertThat(share(photos, Photo::progressive)).isBetween(0.01, 0.03);
        assertThat(share(photos, photo -> photo.width() < photo.height())).isBetween(0.15, 0.35);
        assertThat(photos.stream().map(Photo::path).distinct()).hasSameSizeAs(photos);
    }

    @Test
    void filesAreOfTheSizeOfPhotographs() throws Exception {
        new SampleSet(100, SampleSet.STANDARD.seed()).write(folder, 2, written -> {});

        double bytes = 0;
        for (Path file : files(folder)) {
            bytes += Files.size(file);
        }
        assertThat(bytes / 100).isBetween(80_000.0, 120_000.0);
    }

    /// A class's mean thumbnail is enough to tell half of all pictures; guessing would tell a tenth.
    @Test
    void theClassCanBeToldFromThePicture() throws Exception {
        int images = 300;
        int classes = SampleSet.CLASSES.size();
        new SampleSet(images, SampleSet.STANDARD.seed()).write(folder, 2, written -> {});
        double[][] thumbnails = new double[images][];
        try (ImageDecoder decoder = ImageDecoder.create(ImageSpec.exact(6, 6));
                Arena arena = Arena.ofConfined()) {
            for (int i = 0; i < images; i++) {
                byte[] file = Files.readAllBytes(
                        folder.resolve(Photo.of(SampleSet.STANDARD.seed(), i).path()));
                MemorySegment row = arena.allocate(6 * 6 * 3);
                decoder.decodeInto(arena.allocateFrom(ValueLayout.JAVA_BYTE, file), row);
                thumbnails[i] = IntStream.range(0, 6 * 6 * 3)
                        .mapToDouble(k -> row.get(ValueLayout.JAVA_BYTE, k) & 0xFF)
                        .toArray();
            }
        }
        int learned = images / 2;
        double[][] means = new double[classes][6 * 6 * 3];
        for (int i = 0; i < learned; i++) {
            for (int k = 0; k < means[0].length; k++) {
                means[i % classes][k] += thumbnails[i][k] * classes / learned;
            }
        }

        int right = 0;
        for (int i = learned; i < images; i++) {
            right += nearest(means, thumbnails[i]) == i % classes ? 1 : 0;
        }

        assertThat((double) right / (images - learned)).isGreaterThan(0.4);
    }

    private static int nearest(double[][] means, double[] thumbnail) {
        int nearest = 0;
        for (int candidate = 1; candidate < means.length; candidate++) {
            nearest = distance(means[candidate], thumbnail) < distance(means[nearest], thumbnail) ? candidate : nearest;
        }
        return nearest;
    }

    private static double distance(double[] a, double[] b) {
        return IntStream.range(0, a.length)
                .mapToDouble(k -> (a[k] - b[k]) * (a[k] - b[k]))
                .sum();
    }

    private static double mean(List<Photo> photos, java.util.function.ToIntFunction<Photo> value) {
        return photos.stream().mapToInt(value).average().orElseThrow();
    }

    private static double share(List<Photo> photos, java.util.function.Predicate<Photo> kind) {
        return (double) photos.stream().filter(kind).count() / photos.size();
    }

    private static List<Path> files(Path root) throws IOException {
        try (Stream<Path> tree = Files.walk(root)) {
            return new ArrayList<>(tree.filter(Files::isRegularFile).sorted().toList());
        }
    }

    private static String digest(Path root) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        for (Path file : files(root)) {
            digest.update(root.relativize(file).toString().getBytes(java.nio.charset.StandardCharsets.UTF_8));
            digest.update(Files.readAllBytes(file));
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
