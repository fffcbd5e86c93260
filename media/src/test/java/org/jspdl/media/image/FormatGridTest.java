package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import javax.imageio.IIOException;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;
import org.jspdl.memory.ElementType;
import org.junit.jupiter.api.Test;

/// Noise of any size, written by the JDK in every arrangement that its writers have, has to come back to the bit, in
/// every layout, element type and choice of channels.
///
/// One picture of each way in every build; with `-Pcampaign` ten minutes. The seed is in the message of a failure.
class FormatGridTest {
    private static final int[] USUAL = {95, 96, 97, 127, 128, 129, 223, 224, 225, 255, 256, 257};
    private static final long SEED = Long.getLong("jspdl.campaign.seed", 20261122);
    /// None in a build: it makes one picture of each way, the same ones on every machine.
    private static final long SECONDS = Boolean.getBoolean("campaign") ? 600 : 0;
    private static final List<ElementType> TYPES = List.of(
            ElementType.UINT8, ElementType.UINT16, ElementType.FLOAT32, ElementType.FLOAT16, ElementType.BFLOAT16);

    /// One way to write a picture.
    ///
    /// @param compression what the writer calls it, or empty
    private record Way(String format, Kind kind, String compression, boolean interlaced) {}

    /// How a picture is stored.
    private enum Kind {
        RGB(BufferedImage.TYPE_3BYTE_BGR, 0),
        RGBA(BufferedImage.TYPE_4BYTE_ABGR, 0),
        GRAY(BufferedImage.TYPE_BYTE_GRAY, 0),
        DEEP_GRAY(BufferedImage.TYPE_USHORT_GRAY, 0),
        /// Black and white.
        BILEVEL(BufferedImage.TYPE_BYTE_BINARY, 0),
        PALETTE_1(BufferedImage.TYPE_BYTE_BINARY, 1),
        PALETTE_2(BufferedImage.TYPE_BYTE_BINARY, 2),
        PALETTE_4(BufferedImage.TYPE_BYTE_BINARY, 4),
        PALETTE_8(BufferedImage.TYPE_BYTE_INDEXED, 8);

        final int type;
        final int bits;

        Kind(int type, int bits) {
            this.type = type;
            this.bits = bits;
        }
    }

    private static List<Way> ways() {
        List<Way> ways = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            ways.add(new Way("png", kind, "", false));
            ways.add(new Way("png", kind, "", true));
        }
        for (Kind kind : List.of(Kind.PALETTE_1, Kind.PALETTE_2, Kind.PALETTE_4, Kind.PALETTE_8)) {
            ways.add(new Way("gif", kind, "", false));
            ways.add(new Way("gif", kind, "", true));
        }
        for (Kind kind : List.of(Kind.RGB, Kind.PALETTE_1, Kind.PALETTE_4, Kind.PALETTE_8)) {
            ways.add(new Way("bmp", kind, "BI_RGB", false));
        }
        ways.add(new Way("bmp", Kind.PALETTE_4, "BI_RLE4", false));
        ways.add(new Way("bmp", Kind.PALETTE_8, "BI_RLE8", false));
        for (Kind kind : List.of(Kind.RGB, Kind.RGBA, Kind.GRAY, Kind.DEEP_GRAY, Kind.PALETTE_4, Kind.PALETTE_8)) {
            for (String compression : List.of("", "LZW", "PackBits", "ZLib", "Deflate")) {
                ways.add(new Way("tiff", kind, compression, false));
            }
        }
        for (String compression : List.of("CCITT RLE", "CCITT T.4", "CCITT T.6")) {
            ways.add(new Way("tiff", Kind.BILEVEL, compression, false));
        }
        return ways;
    }

    @Test
    void everyArrangementOfEverySizeComesBackInEveryForm() throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        List<Way> ways = ways();
        long seed = SEED;
        int files = 0;
        for (; files < ways.size() || System.nanoTime() < end; files++, seed++) {
            Random random = new Random(seed);
            Way way = ways.get(files % ways.size());
            BufferedImage picture = noise(way.kind, length(random), length(random), random);
            if (!way.compression.isEmpty() && !comesBack(picture, way)) {
                continue;
            }
            String name = way + " of " + picture.getWidth() + " x " + picture.getHeight() + ", seed " + seed;
            check(write(picture, way), picture, way, random, name);
        }
        System.out.println("FormatGridTest: " + files + " files from seed " + SEED);
    }

    /// Whether the JDK reads what it has written. Its writers of runs in BMP lose pixels of some pictures, and
    /// those of runs in BMP and TIFF fail on others.
    private static boolean comesBack(BufferedImage picture, Way way) throws IOException {
        BufferedImage read;
        try {
            read = ImageIO.read(new ByteArrayInputStream(write(picture, way)));
        } catch (IIOException | IndexOutOfBoundsException _) {
            return false;
        }
        for (int y = 0; y < picture.getHeight(); y++) {
            for (int x = 0; x < picture.getWidth(); x++) {
                if (read.getRGB(x, y) != picture.getRGB(x, y)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static int length(Random random) {
        return random.nextInt(4) == 0 ? USUAL[random.nextInt(USUAL.length)] : 1 + random.nextInt(64);
    }

    private static BufferedImage noise(Kind kind, int width, int height, Random random) {
        BufferedImage picture;
        if (kind.bits > 0) {
            int size = 1 << kind.bits;
            byte[] reds = new byte[size];
            byte[] greens = new byte[size];
            byte[] blues = new byte[size];
            random.nextBytes(reds);
            random.nextBytes(greens);
            random.nextBytes(blues);
            for (int i = 0; i < size; i++) {
                greens[i] = (byte) i; // no color twice, which a writer might make one
            }
            picture = new BufferedImage(
                    width, height, kind.type, new IndexColorModel(kind.bits, size, reds, greens, blues));
        } else {
            picture = new BufferedImage(width, height, kind.type);
        }
        int bands = picture.getRaster().getNumBands();
        int most = 1 << picture.getSampleModel().getSampleSize(0);
        int run = 1 + random.nextInt(20);
        int[] pixel = new int[bands];
        for (int i = 0; i < width * height; i++) {
            if (i % run == 0) {
                for (int b = 0; b < bands; b++) {
                    pixel[b] = random.nextInt(most);
                }
            }
            picture.getRaster().setPixel(i % width, i / width, pixel);
        }
        return picture;
    }

    private static byte[] write(BufferedImage picture, Way way) throws IOException {
        ImageWriter writer = ImageIO.getImageWritersByFormatName(way.format).next();
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (ImageOutputStream out = ImageIO.createImageOutputStream(file)) {
            ImageWriteParam param = writer.getDefaultWriteParam();
            if (!way.compression.isEmpty()) {
                param.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
                param.setCompressionType(way.compression);
            }
            if (way.format.equals("png") || way.format.equals("gif")) {
                param.setProgressiveMode(way.interlaced ? ImageWriteParam.MODE_DEFAULT : ImageWriteParam.MODE_DISABLED);
            }
            writer.setOutput(out);
            writer.write(null, new IIOImage(picture, null, null), param);
        } finally {
            writer.dispose();
        }
        return file.toByteArray();
    }

    private static void check(byte[] file, BufferedImage picture, Way way, Random random, String name) {
        for (ElementType type : TYPES) {
            Channels channels = Channels.values()[random.nextInt(Channels.values().length)];
            Layout layout = random.nextBoolean() ? Layout.NCHW : Layout.NHWC;
            ImageSpec spec =
                    ImageSpec.original().channels(channels).elements(type).layout(layout);
            Quality quality = Quality.values()[random.nextInt(Quality.values().length)];
            double[] actual = decode(file, picture, spec.quality(quality), type);
            double[] expected = expected(picture, way.kind, channels, layout);
            String what = name + ": " + channels + " " + layout + " " + type + " " + quality;
            boolean rounds = way.kind == Kind.DEEP_GRAY && type == ElementType.UINT8;
            boolean mixes = channels == Channels.GRAY && way.kind != Kind.GRAY && way.kind != Kind.DEEP_GRAY;
            double step = rounds || mixes
                    ? 1
                    : type == ElementType.UINT8 ? 1e-9 : type == ElementType.UINT16 ? 0.51 / 257 : 1e-3;
            double relative = type == ElementType.BFLOAT16 ? 1 / 256.0 : type == ElementType.FLOAT16 ? 1 / 2048.0 : 0;
            for (int i = 0; i < expected.length; i++) {
                if (Math.abs(expected[i] - actual[i]) > step + relative * expected[i]) {
                    assertThat(actual[i]).as(what + ", element " + i).isEqualTo(expected[i]);
                }
            }
        }
    }

    /// The elements in the range of 8 bits.
    private static double[] decode(byte[] file, BufferedImage picture, ImageSpec spec, ElementType type) {
        try (Arena arena = Arena.ofConfined();
                ImageDecoder decoder = ImageDecoder.create(spec)) {
            int count =
                    picture.getWidth() * picture.getHeight() * spec.channels().count();
            GuardedRow row = new GuardedRow((long) count * type.byteSize(), arena);
            decoder.decodeInto(TestFiles.toNative(file, arena), row.segment());
            row.check();
            double[] values = new double[count];
            for (int i = 0; i < count; i++) {
                values[i] = element(row.segment(), i, type);
            }
            return values;
        }
    }

    private static double element(MemorySegment row, int i, ElementType type) {
        return switch (type) {
            case UINT8 -> row.get(ValueLayout.JAVA_BYTE, i) & 0xFF;
            case UINT16 -> row.get(ValueLayout.JAVA_CHAR_UNALIGNED, 2L * i) / 257.0;
            case FLOAT32 -> row.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 4L * i) * 255.0;
            case FLOAT16 -> Float.float16ToFloat(row.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2L * i)) * 255.0;
            default -> Float.intBitsToFloat(row.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2L * i) << 16) * 255.0;
        };
    }

    private static double[] expected(BufferedImage picture, Kind kind, Channels channels, Layout layout) {
        int width = picture.getWidth();
        int pixels = width * picture.getHeight();
        int count = channels.count();
        double[] values = new double[pixels * count];
        for (int i = 0; i < pixels; i++) {
            double[] color = inOrder(color(picture, kind, i % width, i / width), channels);
            for (int c = 0; c < count; c++) {
                values[layout == Layout.NHWC ? i * count + c : c * pixels + i] = color[c];
            }
        }
        return values;
    }

    private static double[] inOrder(double[] rgba, Channels channels) {
        return switch (channels) {
            case RGB, RGBA -> rgba;
            case BGR -> new double[] {rgba[2], rgba[1], rgba[0]};
            case GRAY -> new double[] {0.299 * rgba[0] + 0.587 * rgba[1] + 0.114 * rgba[2]};
        };
    }

    /// Red, green, blue and alpha in the range of 8 bits.
    private static double[] color(BufferedImage picture, Kind kind, int x, int y) {
        if (kind == Kind.GRAY || kind == Kind.DEEP_GRAY) {
            double gray = picture.getRaster().getSample(x, y, 0) / (kind == Kind.GRAY ? 1.0 : 257.0);
            return new double[] {gray, gray, gray, 255};
        }
        int argb = picture.getRGB(x, y);
        return new double[] {argb >> 16 & 0xFF, argb >> 8 & 0xFF, argb & 0xFF, argb >>> 24};
    }
}
