package org.jspdl.data.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspdl.input.DecodeException;
import org.jspdl.media.image.Channels;
import org.jspdl.media.image.ImageDecoder;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.image.Images;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Order;
import org.jspdl.pipeline.Run;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A folder with few pictures that are large: threads without a picture help with those of others.
class HelpedDecodingTest {
    private static final int WIDTH = 4_096;
    private static final int ROWS = 256;
    private static final int PICTURES = 3;
    private static final ImageSpec SPEC = ImageSpec.exact(64, 64).channels(Channels.GRAY);

    @TempDir
    Path folder;

    private final List<byte[]> expected = new ArrayList<>();

    @BeforeEach
    void writePictures() throws IOException {
        Files.createDirectories(folder.resolve("class"));
        try (ImageDecoder alone = ImageDecoder.create(SPEC);
                BufferPool pool = BufferPool.unbounded("expected")) {
            for (int i = 0; i < PICTURES; i++) {
                byte[] file = picture(i);
                Files.write(folder.resolve("class").resolve(i + ".jpg"), file);
                try (Tensor image = alone.decode(MemorySegment.ofArray(file), pool)) {
                    expected.add(image.segment().toArray(ValueLayout.JAVA_BYTE));
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"INPUT, 1", "INPUT, 2", "INPUT, 4", "COMPLETION, 1", "COMPLETION, 2", "COMPLETION, 4"})
    void pixelsAreThoseOfOneThread(Order order, int workers) throws Exception {
        assertThat(expected.get(0)).isNotEqualTo(expected.get(1));
        List<Integer> seen = new ArrayList<>();
        try (ImageLoader loader = ImageLoader.open(folder.toString(), options(order, workers));
                Run<ImageBatch> run = loader.pipeline().start(loader.runOptions(4))) {
            do {
                for (ImageBatch batch : run) {
                    try (batch) {
                        for (int row = 0; row < batch.size(); row++) {
                            int index = batch.indices()[row];
                            seen.add(index);
                            assertThat(batch.images().row(row).toArray(ValueLayout.JAVA_BYTE))
                                    .as("picture %d", index)
                                    .isEqualTo(expected.get(index));
                        }
                    }
                }
            } while (run.nextEpoch());
        }
        assertThat(seen)
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 4 * PICTURES)
                        .mapToObj(i -> i % PICTURES)
                        .toList());
    }

    /// A damaged picture fails as by one thread, and its helpers take nothing else with them.
    @Test
    void aDamagedPictureFailsAloneWithTheMessageOfOneThread() throws Exception {
        Path broken = folder.resolve("class").resolve("1.jpg");
        byte[] bytes = Files.readAllBytes(broken);
        int at = bytes.length / 2;
        while ((bytes[at] & 0xFF) != 0xFF) {
            at++;
        }
        bytes[at + 1] ^= 3; // a marker out of turn
        Files.write(broken, bytes);
        String alone = messageOfOneThread(broken);
        List<String> failures = new ArrayList<>();
        List<Integer> seen = new ArrayList<>();
        ImageLoaderOptions options = options(Order.INPUT, 3)
                .failures(FailurePolicy.skip(3)
                        .quarantine(
                                item -> failures.add(String.valueOf(item.cause().getMessage()))));
        try (ImageLoader loader = ImageLoader.open(folder.toString(), options);
                Run<ImageBatch> run = loader.pipeline().start(loader.runOptions(1))) {
            for (ImageBatch batch : run) {
                try (batch) {
                    IntStream.of(batch.indices()).forEach(seen::add);
                }
            }
        }
        assertThat(seen).containsExactly(0, 2);
        assertThat(failures).singleElement().asString().contains(alone);
    }

    private static String messageOfOneThread(Path file) throws IOException {
        try {
            Images.load(file, SPEC).close();
            throw new AssertionError("the damaged picture was decoded");
        } catch (DecodeException damaged) {
            String message = String.valueOf(damaged.getMessage());
            return message.substring(message.indexOf("restart") < 0 ? 0 : message.indexOf("restart"));
        }
    }

    private static ImageLoaderOptions options(Order order, int workers) {
        return ImageLoaderOptions.defaults()
                .image(SPEC)
                .order(order)
                .workers(workers)
                .batchSize(2);
    }

    /// A gray picture of flat rows of blocks, each unlike the others, with a restart marker behind each.
    private static byte[] picture(int number) {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes(new byte[] {(byte) 0xFF, (byte) 0xD8});
        byte[] table = new byte[65];
        Arrays.fill(table, (byte) 8);
        table[0] = 0;
        segment(file, 0xDB, table);
        segment(file, 0xC0, 8, high(8 * ROWS), low(8 * ROWS), high(WIDTH), low(WIDTH), 1, 1, 0x11, 0);
        // differences of DC: none is 0, seven bits follow 10; a block without others is 0
        segment(file, 0xC4, 0x00, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7);
        segment(file, 0xC4, 0x10, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        segment(file, 0xDD, high(WIDTH / 8), low(WIDTH / 8));
        segment(file, 0xDA, 1, 1, 0, 0, 63, 0);
        for (int row = 0; row < ROWS; row++) {
            int level = 64 + (row * 7 + number * 13) % 64;
            byte[] blocks = new byte[(3 + 7 + 2 * (WIDTH / 8 - 1)) / 8];
            int bits = (0b10 << 7 | level) << 1;
            blocks[0] = (byte) (bits >> 2);
            blocks[1] = (byte) (bits << 6);
            file.writeBytes(blocks);
            if (row < ROWS - 1) {
                file.writeBytes(new byte[] {(byte) 0xFF, (byte) (0xD0 + row % 8)});
            }
        }
        file.writeBytes(new byte[] {(byte) 0xFF, (byte) 0xD9});
        return file.toByteArray();
    }

    private static void segment(ByteArrayOutputStream file, int marker, int... content) {
        byte[] bytes = new byte[content.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) content[i];
        }
        segment(file, marker, bytes);
    }

    private static int high(int number) {
        return number >> 8;
    }

    private static int low(int number) {
        return number & 0xFF;
    }

    private static void segment(ByteArrayOutputStream file, int marker, byte[] content) {
        int length = content.length + 2;
        file.writeBytes(new byte[] {(byte) 0xFF, (byte) marker, (byte) high(length), (byte) low(length)});
        file.writeBytes(content);
    }
}
