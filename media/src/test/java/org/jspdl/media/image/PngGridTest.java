package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.jspdl.memory.ElementType;
import org.junit.jupiter.api.Test;

/// Every kind of PNG file, of every size from a pixel up, has the samples and the opacity that its specification says:
/// each color type and depth, whole or in seven passes, with and without a transparent color or palette, rows by every
/// filter, data in pieces.
///
/// 40 files of each kind in every build; with `-Dcampaign=true` 2,000, or `-Djspdl.grid.files=N`.
class PngGridTest {
    private static final int GRAY = 0;
    private static final int RGB = 2;
    private static final int PALETTE = 3;
    private static final int GRAY_ALPHA = 4;
    private static final int RGBA = 6;
    /// The passes of an interlaced file: first column and row, and steps of both.
    private static final int[][] PASSES = {
        {0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}
    };
    private static final int[][] WHOLE = {{0, 0, 1, 1}};
    private static final int MOST = 41;

    /// @param transparent whether it has a chunk that says what is transparent
    private record Kind(int colors, int depth, boolean interlaced, boolean transparent) {
        int samples() {
            return switch (colors) {
                case GRAY, PALETTE -> 1;
                case GRAY_ALPHA -> 2;
                case RGB -> 3;
                default -> 4;
            };
        }

        boolean hasAlpha() {
            return colors == GRAY_ALPHA || colors == RGBA;
        }
    }

    private static List<Kind> kinds() {
        List<Kind> kinds = new ArrayList<>();
        for (boolean interlaced : new boolean[] {false, true}) {
            for (boolean transparent : new boolean[] {false, true}) {
                for (int depth : new int[] {1, 2, 4, 8, 16}) {
                    kinds.add(new Kind(GRAY, depth, interlaced, transparent));
                    if (depth <= 8) {
                        kinds.add(new Kind(PALETTE, depth, interlaced, transparent));
                    }
                    if (depth >= 8) {
                        kinds.add(new Kind(RGB, depth, interlaced, transparent));
                    }
                    if (depth >= 8 && !transparent) {
                        kinds.add(new Kind(GRAY_ALPHA, depth, interlaced, false));
                        kinds.add(new Kind(RGBA, depth, interlaced, false));
                    }
                }
            }
        }
        return kinds;
    }

    /// A picture and its file.
    private static final class Png {
        final Kind kind;
        final int width;
        final int height;
        final int[] samples;
        final int[][] palette;
        final int[] transparent;

        Png(Kind kind, SplittableRandom random) {
            this.kind = kind;
            width = 1 + random.nextInt(random.nextBoolean() ? 9 : MOST);
            height = 1 + random.nextInt(random.nextBoolean() ? 9 : MOST);
            int most = 1 << kind.depth;
            int colors = kind.colors == PALETTE ? 1 + random.nextInt(Math.min(most, 256)) : most;
            samples = random.ints((long) width * height * kind.samples(), 0, colors)
                    .toArray();
            palette = new int[kind.colors == PALETTE ? colors : 0][];
            for (int i = 0; i < palette.length; i++) {
                palette[i] = random.ints(4, 0, 256).toArray();
            }
            transparent = new int[kind.samples()];
            // one that occurs
            int pixel = random.nextInt(width * height);
            System.arraycopy(samples, pixel * kind.samples(), transparent, 0, transparent.length);
        }

        /// Red, green, blue and alpha of a pixel, from 0 to 1.
        double[] color(int x, int y) {
            int at = (y * width + x) * kind.samples();
            double most = (1 << kind.depth) - 1;
            if (kind.colors == PALETTE) {
                int[] color = palette[samples[at]];
                double alpha = kind.transparent && samples[at] < opacities() ? color[3] / 255.0 : 1;
                return new double[] {color[0] / 255.0, color[1] / 255.0, color[2] / 255.0, alpha};
            }
            boolean same = kind.transparent;
            for (int c = 0; c < transparent.length; c++) {
                same &= samples[at + c] == transparent[c];
            }
            boolean color = kind.colors == RGB || kind.colors == RGBA;
            double alpha = kind.hasAlpha() ? samples[at + kind.samples() - 1] / most : same ? 0 : 1;
            return new double[] {
                samples[at] / most, samples[color ? at + 1 : at] / most, samples[color ? at + 2 : at] / most, alpha
            };
        }

        /// How many colors of the palette have an opacity in the file.
        private int opacities() {
            return (palette.length + 1) / 2;
        }

        byte[] file(SplittableRandom random) {
            ByteArrayOutputStream file = new ByteArrayOutputStream();
            file.writeBytes(new byte[] {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'});
            chunk(
                    file,
                    "IHDR",
                    ByteBuffer.allocate(13)
                            .putInt(width)
                            .putInt(height)
                            .put((byte) kind.depth)
                            .put((byte) kind.colors)
                            .put((byte) 0)
                            .put((byte) 0)
                            .put((byte) (kind.interlaced ? 1 : 0))
                            .array());
            if (kind.colors == PALETTE) {
                ByteBuffer colors = ByteBuffer.allocate(3 * palette.length);
                ByteBuffer alphas = ByteBuffer.allocate(opacities());
                for (int[] color : palette) {
                    colors.put((byte) color[0]).put((byte) color[1]).put((byte) color[2]);
                    if (alphas.hasRemaining()) {
                        alphas.put((byte) color[3]);
                    }
                }
                chunk(file, "PLTE", colors.array());
                if (kind.transparent) {
                    chunk(file, "tRNS", alphas.array());
                }
            } else if (kind.transparent) {
                ByteBuffer color = ByteBuffer.allocate(2 * transparent.length);
                for (int sample : transparent) {
                    color.putShort((short) sample);
                }
                chunk(file, "tRNS", color.array());
            }
            byte[] data = deflated(rows(random));
            int cut = random.nextInt(data.length);
            chunk(file, "IDAT", Arrays.copyOf(data, cut));
            chunk(file, "IDAT", Arrays.copyOfRange(data, cut, data.length));
            chunk(file, "IEND", new byte[0]);
            return file.toByteArray();
        }

        /// The rows of all passes, each by a filter of its own.
        private byte[] rows(SplittableRandom random) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (int[] pass : kind.interlaced ? PASSES : WHOLE) {
                int columns = Math.ceilDiv(width - pass[0], pass[2]);
                if (columns <= 0) {
                    continue;
                }
                byte[] above = new byte[Math.ceilDiv(columns * kind.samples() * kind.depth, 8)];
                for (int y = pass[1]; y < height; y += pass[3]) {
                    byte[] row = row(pass, y, above.length);
                    int filter = random.nextInt(5);
                    all.write(filter);
                    all.writeBytes(filtered(row, above, filter));
                    above = row;
                }
            }
            return all.toByteArray();
        }

        private byte[] row(int[] pass, int y, int bytes) {
            byte[] row = new byte[bytes];
            int bit = 0;
            for (int x = pass[0]; x < width; x += pass[2]) {
                for (int c = 0; c < kind.samples(); c++, bit += kind.depth) {
                    int sample = samples[(y * width + x) * kind.samples() + c];
                    if (kind.depth == 16) {
                        row[bit / 8] = (byte) (sample >> 8);
                        row[bit / 8 + 1] = (byte) sample;
                    } else {
                        row[bit / 8] |= (byte) (sample << (8 - kind.depth - bit % 8));
                    }
                }
            }
            return row;
        }

        private byte[] filtered(byte[] row, byte[] above, int filter) {
            int step = Math.max(1, kind.samples() * kind.depth / 8);
            byte[] filtered = new byte[row.length];
            for (int i = 0; i < row.length; i++) {
                int left = i < step ? 0 : row[i - step] & 0xFF;
                int up = above[i] & 0xFF;
                int corner = i < step ? 0 : above[i - step] & 0xFF;
                int guess = left + up - corner;
                int nearest = Math.abs(guess - left) <= Math.abs(guess - up)
                                && Math.abs(guess - left) <= Math.abs(guess - corner)
                        ? left
                        : Math.abs(guess - up) <= Math.abs(guess - corner) ? up : corner;
                int predicted = switch (filter) {
                    case 0 -> 0;
                    case 1 -> left;
                    case 2 -> up;
                    case 3 -> (left + up) / 2;
                    default -> nearest;
                };
                filtered[i] = (byte) (row[i] - predicted);
            }
            return filtered;
        }

        private static byte[] deflated(byte[] rows) {
            byte[] out = new byte[rows.length * 2 + 100];
            try (Deflater deflater = new Deflater()) {
                deflater.setInput(rows);
                deflater.finish();
                return Arrays.copyOf(out, deflater.deflate(out));
            }
        }

        private static void chunk(ByteArrayOutputStream file, String type, byte[] content) {
            ByteBuffer chunk = ByteBuffer.allocate(content.length + 12);
            chunk.putInt(content.length)
                    .put(type.getBytes(StandardCharsets.US_ASCII))
                    .put(content);
            CRC32 checksum = new CRC32();
            checksum.update(chunk.array(), 4, content.length + 4);
            chunk.putInt((int) checksum.getValue());
            file.writeBytes(chunk.array());
        }
    }

    @Test
    void everyKindOfEverySizeHasItsSamples() {
        int count = Integer.getInteger("jspdl.grid.files", Boolean.getBoolean("campaign") ? 2_000 : 40);
        long seed = Long.getLong("jspdl.campaign.seed", 20_261_124);
        ImageSpec bytes = ImageSpec.original();
        ImageSpec deep = bytes.elements(ElementType.UINT16);
        List<ImageSpec> specs = List.of(
                bytes,
                bytes.channels(Channels.RGBA),
                deep,
                deep.channels(Channels.RGBA).layout(Layout.NCHW));
        List<ImageDecoder> decoders = specs.stream().map(ImageDecoder::create).toList();
        try {
            for (Kind kind : kinds()) {
                SplittableRandom random = new SplittableRandom(seed + kind.hashCode());
                for (int i = 0; i < count; i++) {
                    Png png = new Png(kind, random);
                    byte[] file = png.file(random);
                    String what = kind + " " + png.width + " x " + png.height + ", file " + i + " of seed " + seed;
                    decoders.forEach(decoder -> check(png, file, decoder, what));
                }
            }
        } finally {
            decoders.forEach(ImageDecoder::close);
        }
    }

    @Test
    void everyKindOverAColorHasTheColorsBetween() {
        ImageSpec spec = ImageSpec.original().background(10, 200, 255);
        List<ImageDecoder> decoders = List.of(
                ImageDecoder.create(spec),
                ImageDecoder.create(spec.elements(ElementType.UINT16)),
                ImageDecoder.create(spec.channels(Channels.RGBA).elements(ElementType.UINT16)));
        try {
            for (Kind kind : kinds()) {
                SplittableRandom random = new SplittableRandom(20_261_128 + kind.hashCode());
                for (int i = 0; i < 5; i++) {
                    Png png = new Png(kind, random);
                    byte[] file = png.file(random);
                    decoders.forEach(decoder -> checkComposed(png, file, decoder));
                }
            }
        } finally {
            decoders.forEach(ImageDecoder::close);
        }
    }

    private static void checkComposed(Png png, byte[] file, ImageDecoder decoder) {
        ImageSpec spec = decoder.spec();
        boolean deep = spec.elements() == ElementType.UINT16;
        double most = deep ? 65_535 : 255;
        // of 16 bits, color and alpha are rounded to bytes before
        double levels = png.kind.depth < 16 ? 0.51 : 1.51;
        double tolerance = deep && png.kind.depth == 16 ? 1 : levels * most / 255;
        double[] behind = {10 / 255.0, 200 / 255.0, 1};
        int channels = spec.channels().count();
        byte[] row =
                new byte[png.width * png.height * channels * spec.elements().byteSize()];
        decoder.decodeInto(MemorySegment.ofArray(file), MemorySegment.ofArray(row));
        MemorySegment actual = MemorySegment.ofArray(row);
        for (int i = 0; i < png.width * png.height; i++) {
            double[] color = png.color(i % png.width, i / png.width);
            for (int c = 0; c < channels; c++) {
                int at = i * channels + c;
                int value = deep ? actual.get(ValueLayout.JAVA_CHAR_UNALIGNED, 2L * at) : row[at] & 0xFF;
                double expected = c == 3 ? most : most * (color[3] * color[c] + (1 - color[3]) * behind[c]);
                assertThat((double) value)
                        .as("%s by %s: channel %d of pixel %d", png.kind, spec, c, i)
                        .isCloseTo(expected, within(tolerance));
            }
        }
    }

    private static void check(Png png, byte[] file, ImageDecoder decoder, String what) {
        ImageSpec spec = decoder.spec();
        boolean deep = spec.elements() == ElementType.UINT16;
        double most = deep ? 65_535 : 255;
        // 8 bits of 16 are the nearest level; 1, 3 and 15 divide 255
        double tolerance = png.kind.depth == 16 && !deep ? 0.5 : 0.01;
        int channels = spec.channels().count();
        int pixels = png.width * png.height;
        try (Arena arena = Arena.ofConfined()) {
            GuardedRow row =
                    new GuardedRow((long) pixels * channels * spec.elements().byteSize(), arena);
            decoder.decodeInto(TestFiles.toNative(file, arena), row.segment());
            row.check();
            MemorySegment actual = row.segment();
            for (int i = 0; i < pixels; i++) {
                double[] color = png.color(i % png.width, i / png.width);
                for (int c = 0; c < channels; c++) {
                    int at = spec.layout() == Layout.NHWC ? i * channels + c : c * pixels + i;
                    int value = deep
                            ? actual.get(ValueLayout.JAVA_CHAR_UNALIGNED, 2L * at)
                            : actual.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
                    double expected = color[c] * most;
                    if (Math.abs(value - expected) > tolerance) {
                        assertThat((double) value)
                                .as("%s by %s: channel %d of %d, %d", what, spec, c, i % png.width, i / png.width)
                                .isEqualTo(expected);
                    }
                }
            }
        }
    }
}
