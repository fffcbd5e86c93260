package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A decoder that has decoded others makes of each file what a new one makes of it, also where all pictures have one
/// size and differ in all else: format, depth, channels, how they are turned. What codecs leave to each other, and what
/// is worked out once for many pictures, may depend on any of these.
class UsedDecoderTest {
    private static final int WIDTH = 208;
    private static final int HEIGHT = 176;
    private static final int ROUNDS = 60;
    /// A picture cut or moved by a pixel is not as close as this.
    private static final double CLOSE_DB = 30;

    private static final Map<String, byte[]> FILES = new HashMap<>();

    @BeforeAll
    static void writeThePictureInEveryFormat() throws IOException {
        BufferedImage color = picture(BufferedImage.TYPE_3BYTE_BGR);
        BufferedImage gray = picture(BufferedImage.TYPE_BYTE_GRAY);
        for (String format : List.of("png", "bmp", "gif", "tiff")) {
            FILES.put(format, write(format, color, false));
        }
        FILES.put("gray png", write("png", gray, false));
        FILES.put("interlaced png", write("png", color, true));
        FILES.put("opaque png", write("png", picture(BufferedImage.TYPE_4BYTE_ABGR), false));
        FILES.put("jpeg", write("jpg", color, false));
        FILES.put("progressive jpeg", write("jpg", color, true));
        FILES.put("gray jpeg", write("jpg", gray, false));
        FILES.put("deep png", deepPng(color));
        for (int orientation : new int[] {2, 3, 6, 8}) {
            FILES.put("jpeg turned by " + orientation, turned(file("jpeg"), orientation));
        }
    }

    private static byte[] file(String name) {
        return Objects.requireNonNull(FILES.get(name), name);
    }

    /// Smooth, and nowhere the same: no flip or turn of it looks like another.
    private static BufferedImage picture(int type) {
        BufferedImage picture = new BufferedImage(WIDTH, HEIGHT, type);
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < WIDTH; x++) {
                int red = 30 + 200 * x / WIDTH;
                int green = 30 + 200 * y / HEIGHT;
                int blue = (int) (128 + 60 * Math.sin(x / 23.0) * Math.cos(y / 31.0));
                if (picture.getRaster().getNumBands() == 1) {
                    picture.getRaster().setSample(x, y, 0, (red + 2 * green + blue) / 4);
                } else {
                    picture.setRGB(x, y, 0xFF000000 | red << 16 | green << 8 | blue);
                }
            }
        }
        return picture;
    }

    private static byte[] write(String format, BufferedImage picture, boolean progressive) throws IOException {
        ImageWriter writer = ImageIO.getImageWritersByFormatName(format).next();
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (ImageOutputStream out = ImageIO.createImageOutputStream(file)) {
            ImageWriteParam param = writer.getDefaultWriteParam();
            if (param.canWriteProgressive()) {
                param.setProgressiveMode(progressive ? ImageWriteParam.MODE_DEFAULT : ImageWriteParam.MODE_DISABLED);
            }
            if (format.equals("jpg")) {
                param.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
                param.setCompressionQuality(0.95f);
            }
            writer.setOutput(out);
            writer.write(null, new IIOImage(picture, null, null), param);
        } finally {
            writer.dispose();
        }
        return file.toByteArray();
    }

    private static byte[] deepPng(BufferedImage picture) {
        byte[] samples = new byte[WIDTH * HEIGHT * 3 * Short.BYTES];
        for (int i = 0; i < WIDTH * HEIGHT * 3; i++) {
            int value = picture.getRGB(i / 3 % WIDTH, i / 3 / WIDTH) >> (16 - 8 * (i % 3)) & 0xFF;
            samples[2 * i] = (byte) value;
            samples[2 * i + 1] = (byte) value;
        }
        return ImageEncoderTest.encode(ImageEncoder.png(1), samples, Shape.of(HEIGHT, WIDTH, 3), ElementType.UINT16);
    }

    /// The file with an Exif segment behind its first two bytes.
    private static byte[] turned(byte[] file, int orientation) {
        byte[] exif = HexFormat.of()
                .parseHex("ffe1002245786966000049492a000800000001001201030001000000"
                        + String.format("%02x", orientation) + "00000000000000");
        byte[] turned = new byte[file.length + exif.length];
        System.arraycopy(file, 0, turned, 0, 2);
        System.arraycopy(exif, 0, turned, 2, exif.length);
        System.arraycopy(file, 2, turned, 2 + exif.length, file.length - 2);
        return turned;
    }

    private static List<ImageSpec> specs() {
        List<ImageSpec> specs = new ArrayList<>();
        for (Quality quality : Quality.values()) {
            specs.add(ImageSpec.exact(20, 16).quality(quality));
            specs.add(ImageSpec.shorterSide(40)
                    .centerCrop(24, 30)
                    .quality(quality)
                    .layout(Layout.NCHW));
        }
        specs.add(ImageSpec.original());
        specs.add(ImageSpec.exact(50, 40).channels(Channels.RGBA));
        specs.add(ImageSpec.exact(50, 40).elements(ElementType.UINT16));
        specs.add(ImageSpec.exact(50, 40).channels(Channels.GRAY).interpolation(Interpolation.BICUBIC));
        specs.add(ImageSpec.exact(30, 20).orientation(Orientation.AS_STORED));
        return specs;
    }

    @ParameterizedTest
    @EnumSource(JpegBackend.class)
    void whatWasDecodedBeforeMakesNoDifference(JpegBackend backend) {
        Backends.require(backend);
        List<String> names = FILES.keySet().stream().sorted().toList();
        for (ImageSpec spec : specs()) {
            Map<String, byte[]> alone = new HashMap<>();
            for (String name : names) {
                try (ImageDecoder fresh = ImageDecoder.create(spec, backend)) {
                    alone.put(name, decode(fresh, name));
                }
            }
            Random random = new Random(spec.toString().hashCode());
            List<String> before = new ArrayList<>();
            try (ImageDecoder used = ImageDecoder.create(spec, backend)) {
                for (int i = 0; i < ROUNDS; i++) {
                    String name = names.get(random.nextInt(names.size()));
                    assertThat(decode(used, name))
                            .as("%s by %s, %s, after %s", name, spec, backend, before)
                            .isEqualTo(alone.get(name));
                    before.add(name);
                }
            }
        }
    }

    /// The same picture in every format: what a codec does for itself, as making it smaller, is no other picture.
    @ParameterizedTest
    @EnumSource(JpegBackend.class)
    void everyFormatIsTheSamePicture(JpegBackend backend) {
        Backends.require(backend);
        for (ImageSpec spec : specs()) {
            if (spec.elements() != ElementType.UINT8) {
                continue;
            }
            try (ImageDecoder decoder = ImageDecoder.create(spec, backend)) {
                byte[] color = decode(decoder, "bmp");
                byte[] gray = decode(decoder, "gray png");
                for (String name : FILES.keySet()) {
                    // a palette of 256 colors is not the same picture
                    if (!name.contains("turned") && !name.equals("gif")) {
                        assertThat(TestFiles.psnr(name.contains("gray") ? gray : color, decode(decoder, name)))
                                .as("%s by %s, %s", name, spec, backend)
                                .isGreaterThan(CLOSE_DB);
                    }
                }
            }
        }
    }

    private static byte[] decode(ImageDecoder decoder, String name) {
        try (Arena arena = Arena.ofConfined();
                BufferPool pool = BufferPool.create("test", 1 << 24)) {
            MemorySegment file = TestFiles.toNative(file(name), arena);
            try (Tensor tensor = decoder.decode(file, pool)) {
                return tensor.segment().toArray(ValueLayout.JAVA_BYTE);
            }
        }
    }
}
