package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;
import org.jspdl.input.DecodeException;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Each feature of TIFF is decoded to the pixels that were written, or refused by its name.
class TiffTest {
    private static final int WIDTH = 37;
    private static final int HEIGHT = 23;
    private static final int[] COMPRESSIONS = {TiffFile.NONE, TiffFile.LZW, TiffFile.DEFLATE, 32946, TiffFile.PACK_BITS
    };
    private static final List<UnaryOperator<TiffFile>> LAYOUTS = List.of(
            file -> file,
            file -> file.rowsInStrip(5),
            TiffFile::bigEndian,
            file -> file.bigEndian().rowsInStrip(1),
            file -> file.fillOrder(2),
            file -> file.fillOrder(2).rowsInStrip(7));

    /// What is decoded in every layout and compression.
    static List<TiffFile> decoded() {
        List<TiffFile> files = new ArrayList<>();
        for (UnaryOperator<TiffFile> layout : LAYOUTS) {
            for (int compression : COMPRESSIONS) {
                for (int photometric : new int[] {0, 1}) {
                    for (int bits : new int[] {1, 8, 16}) {
                        files.add(layout.apply(gray(bits, photometric).compression(compression)));
                    }
                    files.add(layout.apply(
                            file(2).photometric(photometric).tag(338, 2).compression(compression)));
                    files.add(layout.apply(file(2).bits(16)
                            .photometric(photometric)
                            .tag(338, 2)
                            .compression(compression)));
                }
                for (int bits : new int[] {8, 16}) {
                    files.add(layout.apply(file(3).bits(bits).compression(compression)));
                    files.add(layout.apply(file(4).bits(bits).tag(338, 2).compression(compression)));
                    files.add(layout.apply(file(3).bits(bits).separatePlanes().compression(compression)));
                    files.add(layout.apply(
                            file(4).bits(bits).tag(338, 2).separatePlanes().compression(compression)));
                }
                files.add(layout.apply(file(3).bits(32).tag(339, 3, 3, 3).compression(compression)));
                files.add(layout.apply(palette(8).compression(compression)));
                files.add(layout.apply(file(4).photometric(5).compression(compression)));
                for (int across : new int[] {1, 2, 4}) {
                    for (int down : new int[] {1, 2, 4}) {
                        files.add(layout.apply(file(3).chroma(across, down).compression(compression)));
                    }
                }
                files.add(layout.apply(file(3).chroma(2, 1)
                        .tag(532, 16, 235, 128, 240, 128, 240)
                        .compression(compression)));
            }
            for (int compression : new int[] {TiffFile.LZW, TiffFile.DEFLATE, 32946}) {
                for (int bits : new int[] {8, 16}) {
                    files.add(
                            layout.apply(gray(bits, 1).compression(compression).predictor(2)));
                    files.add(layout.apply(
                            file(3).bits(bits).compression(compression).predictor(2)));
                    files.add(layout.apply(file(4).bits(bits)
                            .tag(338, 2)
                            .compression(compression)
                            .predictor(2)));
                    files.add(layout.apply(file(3).bits(bits)
                            .separatePlanes()
                            .compression(compression)
                            .predictor(2)));
                }
            }
        }
        for (UnaryOperator<TiffFile> layout : LAYOUTS.subList(0, 4)) {
            for (int compression : COMPRESSIONS) {
                for (int bits : new int[] {1, 2, 4}) {
                    files.add(layout.apply(palette(bits).compression(compression)));
                    files.add(layout.apply(gray(bits, 0).compression(compression)));
                    files.add(layout.apply(gray(bits, 1).compression(compression)));
                }
            }
            for (int compression : new int[] {TiffFile.NONE, TiffFile.LZW, TiffFile.PACK_BITS}) {
                files.add(layout.apply(gray(12, 1).compression(compression)));
            }
        }
        files.add(file(4).bits(16).photometric(5).bigEndian());
        for (TiffFile file : arranged()) {
            files.add(file);
        }
        return files;
    }

    /// Tiles, old LZW, depths and planes of every kind.
    private static List<TiffFile> arranged() {
        List<TiffFile> files = new ArrayList<>();
        for (int compression : COMPRESSIONS) {
            for (int tile : new int[] {16, 48}) {
                for (int bits : new int[] {1, 2, 4, 8, 16}) {
                    files.add(gray(bits, 0).compression(compression).tiles(tile));
                    files.add(
                            gray(bits, 1).fillOrder(2).compression(compression).tiles(tile));
                }
                files.add(file(3).chroma(2, 2).compression(compression).tiles(tile));
                files.add(file(3).chroma(4, 1).compression(compression).tiles(tile));
                for (int bits : new int[] {8, 16}) {
                    files.add(file(3).bits(bits).compression(compression).tiles(tile));
                    files.add(file(4).bits(bits)
                            .bigEndian()
                            .compression(compression)
                            .tiles(tile));
                    files.add(file(3).bits(bits)
                            .separatePlanes()
                            .compression(compression)
                            .tiles(tile));
                    files.add(file(4).bits(bits)
                            .photometric(5)
                            .separatePlanes()
                            .compression(compression)
                            .tiles(tile));
                }
            }
            for (int bits : new int[] {6, 10, 12, 14, 24, 32}) {
                for (int channels : new int[] {1, 2, 3, 4}) {
                    files.add(file(channels).bits(bits).compression(compression));
                    files.add(file(channels)
                            .bits(bits)
                            .bigEndian()
                            .separatePlanes()
                            .compression(compression));
                }
            }
            files.add(gray(32, 1).tag(339, 3).compression(compression).rowsInStrip(2));
            files.add(gray(32, 0).tag(339, 3).bigEndian().compression(compression));
        }
        for (int bits : new int[] {2, 4}) {
            files.add(gray(bits, 1).fillOrder(2));
            files.add(palette(bits).fillOrder(2).compression(TiffFile.PACK_BITS));
        }
        for (int compression : new int[] {TiffFile.LZW, TiffFile.DEFLATE}) {
            files.add(file(3).compression(compression).predictor(2).tiles(16));
            files.add(
                    file(3).bits(32).tag(339, 3, 3, 3).compression(compression).predictor(2));
            files.add(gray(32, 1).bigEndian().compression(compression).predictor(2));
        }
        files.add(file(3).oldLzw());
        files.add(gray(8, 1).oldLzw().rowsInStrip(4).fillOrder(2));
        files.add(file(5).tag(338, 0, 0));
        files.add(file(2).tag(338, 0));
        return files;
    }

    /// The feature that the message names, and a file with it.
    record Refused(String named, TiffFile file) {}

    static List<Refused> refused() {
        List<Refused> files = new ArrayList<>();
        for (int compression : new int[] {6, 34712, 34925, 50000, 50001, 9, 99}) {
            String named = "compression (tag 259: " + compression + ")";
            files.add(new Refused(named, file(3).compression(compression)));
        }
        files.add(new Refused(
                "this kind of JPEG compression (tag 259: 7)",
                file(3).separatePlanes().compression(7)));
        files.add(new Refused(
                "this kind of JPEG compression (tag 259: 7)",
                file(4).photometric(5).compression(7)));
        for (int compression : new int[] {2, 3, 4}) {
            files.add(new Refused("CCITT compression (tag 259", gray(8, 1).compression(compression)));
        }
        files.add(new Refused("bit order (tag 266: 3)", file(3).tag(266, 3)));
        for (int photometric : new int[] {4, 8, 9, 32803, 32844, 34892}) {
            String named = "photometric interpretation (tag 262: " + photometric + ")";
            files.add(new Refused(named, file(3).photometric(photometric)));
        }
        for (int bits : new int[] {17, 48, 64}) {
            files.add(new Refused("bits a sample (tag 258: " + bits + ")", file(3).bits(bits)));
        }
        files.add(new Refused("bits a sample (tag 258: 9)", palette(9)));
        files.add(new Refused("bits a sample (tag 258: 8)", gray(8, 1).tag(339, 3)));
        files.add(new Refused("samples a pixel (tag 277: 4)", file(4).photometric(1)));
        files.add(new Refused("samples a pixel (tag 277: 5)", file(5)));
        files.add(new Refused("format (tag 339: 2)", gray(16, 1).tag(339, 2)));
        files.add(new Refused("format (tag 339: 1)", file(3).bits(32).tag(339, 3, 3, 1)));
        files.add(new Refused(
                "predictor (tag 317: 3)", file(3).compression(TiffFile.DEFLATE).predictor(3)));
        files.add(new Refused(
                "predictor (tag 317: 2)", gray(4, 1).compression(TiffFile.LZW).predictor(2)));
        files.add(new Refused("planar configuration (tag 284: 3)", file(3).tag(284, 3)));
        files.add(new Refused(
                "inks other than CMYK (tag 332: 2)", file(4).photometric(5).tag(332, 2)));
        files.add(new Refused(
                "YCbCr of this depth (tag 258: 16)", file(3).bits(16).photometric(6)));
        files.add(new Refused(
                "YCbCr in planes (tag 284: 2)", file(3).separatePlanes().photometric(6)));
        files.add(new Refused(
                "YCbCr by a predictor (tag 317: 2)",
                file(3).chroma(1, 1).compression(TiffFile.LZW).predictor(2)));
        files.add(new Refused("chroma for pixels of this number (tag 530: 3)", file(3).chroma(3, 1)));
        files.add(new Refused("DNG (tag 50706: 1)", file(3).tag(50706, 1)));
        return files;
    }

    @ParameterizedTest
    @ValueSource(strings = {"DEFAULT", "EXACT"})
    void whatIsDecodedHasThePixelsThatWereWritten(Quality quality) {
        ImageSpec spec = ImageSpec.original().quality(quality);
        List<TiffFile> files = decoded();
        try (ImageDecoder decoder = ImageDecoder.create(spec)) {
            for (TiffFile file : files) {
                byte[] actual = decode(decoder, file.bytes());
                assertThat(TestFiles.largestError(file.pixels(), actual))
                        .as(file.toString())
                        .isLessThanOrEqualTo(file.isRounded() ? 1 : 0);
            }
        }
        assertThat(files).hasSizeGreaterThan(700);
    }

    /// libtiff rounds chroma before it makes colors of it, and luminance, too: up to three levels.
    @ParameterizedTest
    @ValueSource(strings = {"420-limited", "411-limited", "444-709"})
    void chromaBecomesTheColorsOfLibtiff(String name) {
        byte[] expected = TestFiles.bytes("reference/tiff-" + name + ".bin");
        byte[] file = TestFiles.bytes("tiff/" + name + ".tiff");

        byte[] actual = JpegDecodingTest.decode(file, ImageSpec.original(), JpegBackend.BEST);

        assertThat(TestFiles.largestError(expected, actual)).isLessThanOrEqualTo(3);
    }

    @Test
    void blackThatIsNotBelowWhiteIsRefused() {
        try (ImageDecoder decoder = ImageDecoder.create(ImageSpec.original())) {
            byte[] file =
                    file(3).chroma(1, 1).tag(532, 9, 9, 128, 240, 128, 240).bytes();
            assertThatThrownBy(() -> decode(decoder, file))
                    .isInstanceOf(DecodeException.class)
                    .hasMessageContaining("black is not below its white");
        }
    }

    @ParameterizedTest
    @MethodSource("refused")
    void whatIsNotDecodedRightIsRefusedByName(Refused refused) {
        for (Damage damage : Damage.values()) {
            try (ImageDecoder decoder = ImageDecoder.create(ImageSpec.original().damage(damage))) {
                byte[] bytes = refused.file.bytes();
                assertThatThrownBy(() -> decode(decoder, bytes))
                        .as(refused.file.toString())
                        .isInstanceOf(DecodeException.class)
                        .hasMessageContaining(refused.named)
                        .hasMessageContaining("is not supported");
            }
        }
    }

    @Test
    void filesWithBytesChangedAreDecodedOrRefused() {
        int count = Boolean.getBoolean("campaign") ? 300_000 : 800;
        List<TiffFile> files = decoded();
        ImageSpec spec = ImageSpec.exact(WIDTH, HEIGHT).maxPixels(1 << 20);
        try (ImageDecoder strict = ImageDecoder.create(spec);
                ImageDecoder lenient = ImageDecoder.create(
                        spec.damage(Damage.KEPT).channels(Channels.RGBA).elements(ElementType.UINT16));
                Arena arena = Arena.ofConfined()) {
            MemorySegment row = arena.allocate(WIDTH * HEIGHT * 8L);
            for (int seed = 0; seed < count; seed++) {
                SplittableRandom random = new SplittableRandom(seed);
                byte[] bytes = files.get(random.nextInt(files.size())).bytes();
                for (int i = random.nextInt(1, 5); i > 0; i--) {
                    // directories lie at the end
                    int back = random.nextInt(1, random.nextBoolean() ? bytes.length : Math.min(bytes.length, 300));
                    bytes[bytes.length - back] = (byte) random.nextInt();
                }
                boolean isLenient = random.nextBoolean();
                try (Arena own = Arena.ofConfined()) {
                    MemorySegment file = TestFiles.toNative(bytes, own);
                    (isLenient ? lenient : strict)
                            .decodeInto(file, row.asSlice(0, WIDTH * HEIGHT * (isLenient ? 8L : 3L)));
                } catch (DecodeException refused) {
                    assertThat(refused.getMessage()).isNotBlank();
                } catch (RuntimeException | Error stray) {
                    throw new AssertionError("seed " + seed, stray);
                }
            }
        }
    }

    @Test
    void samplesOf16BitsKeepTheirPrecision() {
        TiffFile file = file(3).bits(16).bigEndian().rowsInStrip(3);
        ImageSpec spec = ImageSpec.original().elements(ElementType.UINT16);
        byte[] expected = file.pixels();
        try (ImageDecoder decoder = ImageDecoder.create(spec);
                Arena arena = Arena.ofConfined()) {
            MemorySegment row = arena.allocate(2L * expected.length, 64);
            decoder.decodeInto(TestFiles.toNative(file.bytes(), arena), row);
            for (int i = 0; i < expected.length; i++) {
                assertThat(row.getAtIndex(ValueLayout.JAVA_SHORT, i)).isEqualTo((short) ((expected[i] & 0xFF) * 0x101));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"CCITT RLE", "CCITT T.4", "CCITT T.6", "LZW", "ZLib", "PackBits", "Deflate"})
    void whatImageIoWritesIsDecodedAsImageIoReadsIt(String compression) throws IOException {
        BufferedImage image = new BufferedImage(61, 47, BufferedImage.TYPE_BYTE_BINARY);
        SplittableRandom random = new SplittableRandom(4);
        for (int y = 0; y < 47; y++) {
            for (int x = 0; x < 61; x++) {
                image.setRGB(x, y, (x / 5 + y / 3) % 2 == 0 || random.nextInt(9) == 0 ? -1 : 0xFF000000);
            }
        }
        byte[] bytes = write(image, compression);
        try (ImageDecoder decoder = ImageDecoder.create(ImageSpec.original());
                Arena arena = Arena.ofConfined()) {
            MemorySegment row = arena.allocate(61 * 47 * 3L).fill((byte) 0x5A);
            decoder.decodeInto(TestFiles.toNative(bytes, arena), row);
            assertThat(row.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(TestFiles.decodedByImageIo(bytes));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {BufferedImage.TYPE_3BYTE_BGR, BufferedImage.TYPE_BYTE_GRAY})
    void piecesThatAreJpegPicturesAreDecodedAsImageIoReadsThem(int type) throws IOException {
        BufferedImage image = new BufferedImage(161, 147, type);
        for (int y = 0; y < 147; y++) {
            for (int x = 0; x < 161; x++) {
                int wave = (int) (127 + 120 * Math.sin(x / 9.0) * Math.cos(y / 14.0));
                image.setRGB(x, y, (wave << 16) | (((x + y) / 2) << 8) | (255 - wave));
            }
        }
        byte[] bytes = write(image, "JPEG");
        byte[] expected = TestFiles.decodedByImageIo(bytes);
        try (ImageDecoder decoder = ImageDecoder.create(ImageSpec.original());
                BufferPool pool = BufferPool.unbounded("tiff");
                Tensor actual = decoder.decode(MemorySegment.ofArray(bytes), pool)) {
            assertThat(TestFiles.psnr(expected, actual.segment().toArray(ValueLayout.JAVA_BYTE)))
                    .isGreaterThan(48);
        }
    }

    @Test
    void aPieceThatClaimsToBeALargerJpegPictureIsRefused() throws IOException {
        byte[] bytes = write(new BufferedImage(61, 47, BufferedImage.TYPE_3BYTE_BGR), "JPEG");
        int frame = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("\u00FF\u00C0");
        bytes[frame + 5] = 0x7F;
        try (ImageDecoder decoder = ImageDecoder.create(ImageSpec.exact(20, 10))) {
            assertThatThrownBy(() ->
                            decoder.decodeInto(MemorySegment.ofArray(bytes), MemorySegment.ofArray(new byte[600])))
                    .isInstanceOf(DecodeException.class)
                    .hasMessageStartingWith("TIFF: piece 0: JPEG of 61 x ");
        }
    }

    private static byte[] write(BufferedImage image, String compression) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ImageWriter writer = ImageIO.getImageWritersByFormatName("tiff").next();
        try (ImageOutputStream out = ImageIO.createImageOutputStream(bytes)) {
            ImageWriteParam how = writer.getDefaultWriteParam();
            how.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
            how.setCompressionType(compression);
            writer.setOutput(out);
            writer.write(null, new IIOImage(image, null, null), how);
        } finally {
            writer.dispose();
        }
        return bytes.toByteArray();
    }

    private static TiffFile file(int channels) {
        return TiffFile.of(WIDTH, HEIGHT, channels);
    }

    private static TiffFile gray(int bits, int photometric) {
        return file(1).bits(bits).photometric(photometric);
    }

    private static TiffFile palette(int bits) {
        int[] map = new SplittableRandom(bits)
                .ints(3L << bits, 0, 256)
                .map(value -> value * 0x101)
                .toArray();
        return file(1).bits(bits).photometric(3).tag(320, map);
    }

    private static byte[] decode(ImageDecoder decoder, byte[] bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment row = arena.allocate(WIDTH * HEIGHT * 3L).fill((byte) 0x5A);
            decoder.decodeInto(TestFiles.toNative(bytes, arena), row);
            return row.toArray(ValueLayout.JAVA_BYTE);
        }
    }
}
