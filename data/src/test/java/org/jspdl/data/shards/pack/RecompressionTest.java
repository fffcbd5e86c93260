package org.jspdl.data.shards.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.Color;
import java.awt.GradientPaint;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import javax.imageio.ImageIO;
import org.jspdl.archive.TarWriter;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.media.ImageFormat;
import org.jspdl.media.ImageInfo;
import org.jspdl.media.image.ImageDecoder;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.Samplers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecompressionTest {
    @TempDir
    Path folder;

    private Storage storage;
    private BufferPool pool;
    private Path photos;

    @BeforeEach
    void open() throws IOException {
        storage = Storage.open();
        pool = BufferPool.unbounded("images");
        photos = Files.createDirectories(folder.resolve("photos/c"));
        draw(640, 480, "jpg", photos.resolve("a.jpg").toFile());
        draw(480, 900, "png", photos.resolve("b.png").toFile());
        draw(200, 300, "png", photos.resolve("c.png").toFile());
    }

    @AfterEach
    void close() {
        assertThat(pool.outstanding()).isZero();
        pool.close();
        storage.close();
    }

    private static void draw(int width, int height, String format, File file) throws IOException {
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.setPaint(new GradientPaint(0, 0, Color.RED, width, height, Color.BLUE));
        graphics.fillRect(0, 0, width, height);
        graphics.dispose();
        ImageIO.write(image, format, file);
    }

    private FileInput files() throws IOException {
        LabeledFiles files =
                LabeledFiles.images(storage, folder.resolve("photos").toString());
        return new FileInput(files, Samplers.sequential(files.size()), storage, pool, 1 << 24);
    }

    /// What the packed samples hold, by their fields.
    private List<Map<String, byte[]>> packed(PackInput<?> input, Recompression how, String name) throws Exception {
        PackSettings settings = PackSettings.of(folder.resolve(name), "set");
        try (RecompressedInput<?> recompressed = RecompressedInput.of(input, how, pool)) {
            ShardPacker.pack(recompressed, settings, storage, _ -> {});
            ShardCheck.check(recompressed, settings, storage, _ -> {});
        }
        List<Map<String, byte[]>> samples = new ArrayList<>();
        try (Cursor<ShardSample> cursor = Shards.open(
                        storage, folder.resolve(name).toString(), ShardOptions.defaults(), pool)
                .open(0, Position.START)) {
            while (cursor.advance()) {
                try (ShardSample sample = cursor.item()) {
                    Map<String, byte[]> fields = new LinkedHashMap<>();
                    sample.names()
                            .forEach(field ->
                                    fields.put(field, sample.bytes(field).toArray(ValueLayout.JAVA_BYTE)));
                    samples.add(fields);
                }
            }
        }
        return samples;
    }

    private static byte[] field(Map<String, byte[]> sample, String name) {
        return Objects.requireNonNull(sample.get(name), name);
    }

    private static String shape(byte[] file) {
        ImageInfo info = ImageDecoder.probe(MemorySegment.ofArray(file));
        return info.format() + " " + info.width() + "x" + info.height();
    }

    @Test
    void largerImagesGetAShorterSideOfSoManyPixelsAndOthersStayAsTheyAre() throws Exception {
        List<Map<String, byte[]>> samples =
                packed(files(), new Recompression(OptionalInt.of(240), 90, Recompression.Which.LARGER), "small");

        assertThat(samples).hasSize(3);
        assertThat(shape(field(samples.get(0), "jpg"))).isEqualTo(ImageFormat.JPEG + " 320x240");
        assertThat(shape(field(samples.get(1), "jpg"))).isEqualTo(ImageFormat.JPEG + " 240x450");
        assertThat(field(samples.get(2), "png")).isEqualTo(Files.readAllBytes(photos.resolve("c.png")));
        assertThat(samples)
                .allSatisfy(sample -> assertThat(field(sample, "cls")).isEqualTo(new byte[] {'0'}));
        assertThat(meanDifference(field(samples.get(0), "jpg"), Files.readAllBytes(photos.resolve("a.jpg"))))
                .as("levels from the picture that a loader makes of the original")
                .isLessThan(2);
    }

    private double meanDifference(byte[] smaller, byte[] original) {
        try (ImageDecoder decoder = ImageDecoder.create(ImageSpec.exact(320, 240));
                Tensor one = decoder.decode(MemorySegment.ofArray(smaller), pool);
                Tensor other = decoder.decode(MemorySegment.ofArray(original), pool)) {
            long sum = 0;
            for (long i = 0; i < one.segment().byteSize(); i++) {
                sum += Math.abs((one.segment().get(ValueLayout.JAVA_BYTE, i) & 0xFF)
                        - (other.segment().get(ValueLayout.JAVA_BYTE, i) & 0xFF));
            }
            return (double) sum / one.segment().byteSize();
        }
    }

    @Test
    void allImagesAreRecompressedAndMasksBesideThemAreNot() throws Exception {
        Path masked = Files.createDirectories(folder.resolve("masked"));
        byte[] mask = Files.readAllBytes(photos.resolve("c.png"));
        byte[] photo = Files.readAllBytes(photos.resolve("a.jpg"));
        try (TarWriter tar = TarWriter.create(masked.resolve("m.tar"))) {
            tar.add("x.seg.png", MemorySegment.ofArray(mask));
            tar.add("x.jpg", MemorySegment.ofArray(photo));
        }
        ShardInput input = new ShardInput(
                Shards.open(storage, masked.toString(), ShardOptions.defaults(), pool),
                Shards.locations(storage, Location.of(masked)));

        List<Map<String, byte[]>> samples =
                packed(input, new Recompression(OptionalInt.empty(), 20, Recompression.Which.ALL), "low");

        assertThat(field(samples.getFirst(), "seg.png")).isEqualTo(mask);
        assertThat(shape(field(samples.getFirst(), "jpg"))).isEqualTo(ImageFormat.JPEG + " 640x480");
        assertThat(field(samples.getFirst(), "jpg").length).isLessThan(photo.length);
    }

    @Test
    void otherSizesAreAnotherPackAndDamagedImagesAreNamedOrLeftOut() throws Exception {
        Files.write(photos.resolve("d.jpg"), new byte[] {(byte) 0xFF, (byte) 0xD8, (byte) 0xFF, 1, 2, 3});
        Recompression how = new Recompression(OptionalInt.of(100), 90, Recompression.Which.LARGER);
        assertThatThrownBy(() -> packed(files(), how, "damaged"))
                .isInstanceOf(PipelineException.class)
                .hasStackTraceContaining("d.jpg");
        PackSettings lenient = PackSettings.of(folder.resolve("lenient"), "set").failures(FailurePolicy.skip(1));
        try (RecompressedInput<?> input = RecompressedInput.of(files(), how, pool)) {
            assertThat(ShardPacker.pack(input, lenient, storage, _ -> {}).samples())
                    .isEqualTo(3);
        }
        Recompression other = new Recompression(OptionalInt.of(101), 90, Recompression.Which.LARGER);
        try (RecompressedInput<?> input = RecompressedInput.of(files(), other, pool)) {
            assertThatThrownBy(() -> ShardPacker.pack(input, lenient, storage, _ -> {}))
                    .hasMessageContaining("resized to 100")
                    .hasMessageContaining("resized to 101");
        }
    }
}
