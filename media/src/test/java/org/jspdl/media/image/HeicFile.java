package org.jspdl.media.image;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Puts a picture of an HEVC stream (ITU-T H.265, annex B) into a HEIC file, as ISO 23008-12 and ISO 14496-15 have it.
final class HeicFile {
    private static final int FIRST_PARAMETER_SET = 32;
    private static final int LAST_PARAMETER_SET = 34;
    /// Bytes of an `hvcC` box before its parameter sets.
    private static final int HVCC_BYTES = 23;

    private HeicFile() {}

    /// A file with the only picture of `stream`, of which `width` x `height` pixels are shown from the first one
    /// on.
    ///
    /// @param chroma samples as the standard counts them: 0 none, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4
    static byte[] of(byte[] stream, int codedWidth, int codedHeight, int width, int height, int chroma, int depth) {
        List<byte[]> sets = new ArrayList<>();
        ByteArrayOutputStream picture = new ByteArrayOutputStream();
        for (byte[] unit : units(stream)) {
            int type = (unit[0] >> 1) & 63;
            if (type >= FIRST_PARAMETER_SET && type <= LAST_PARAMETER_SET) {
                sets.add(unit);
            } else {
                picture.writeBytes(number(unit.length, 4));
                picture.writeBytes(unit);
            }
        }
        byte[] setup = new byte[HVCC_BYTES];
        setup[0] = 1;
        setup[16] = (byte) (0xFC | chroma);
        setup[17] = (byte) (0xF8 | (depth - 8));
        setup[18] = setup[17];
        setup[21] = 3;
        setup[22] = (byte) sets.size();
        for (byte[] set : sets) {
            setup = join(setup, new byte[] {(byte) ((set[0] >> 1) & 63), 0, 1}, number(set.length, 2), set);
        }
        byte[] properties = join(
                box("hvcC", setup),
                box("ispe", number(0, 4), number(codedWidth, 4), number(codedHeight, 4)),
                box(
                        "clap",
                        fraction(width, 1),
                        fraction(height, 1),
                        fraction(width - codedWidth, 2),
                        fraction(height - codedHeight, 2)));
        byte[] links = join(number(0, 4), number(1, 4), number(1, 2), new byte[] {3, 1, 2, 3});
        byte[] head = head(properties, links, 0, picture.size());
        return join(head(properties, links, head.length + 8, picture.size()), box("mdat", picture.toByteArray()));
    }

    /// A file with the gray picture of `stream`, and the gray picture of `alpha` as its alpha.
    ///
    /// @param premultiplied whether it says that its gray was multiplied with its alpha
    static byte[] withAlpha(
            byte[] stream, byte[] alpha, int width, int height, int depth, int alphaDepth, boolean premultiplied) {
        byte[] first = of(stream, width, height, width, height, 0, depth);
        byte[] second = of(alpha, width, height, width, height, 0, alphaDepth);
        byte[] properties = join(
                property(first, "hvcC"),
                property(first, "ispe"),
                property(second, "hvcC"),
                box("auxC", number(0, 4), text("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0")));
        byte[] links = join(
                number(0, 4), number(2, 4),
                number(1, 2), new byte[] {2, 1, 2},
                number(2, 2), new byte[] {3, 3, 2, 4});
        byte[] references = join(
                number(0, 4),
                box("auxl", number(2, 2), number(1, 2), number(1, 2)),
                premultiplied ? box("prem", number(1, 2), number(1, 2), number(2, 2)) : new byte[0]);
        byte[] picture = data(first);
        byte[] opacity = data(second);
        byte[] head = new byte[0];
        for (int pass = 0; pass < 2; pass++) {
            int offset = head.length + 8;
            byte[] places = join(
                    number(0, 4),
                    number(0x4400, 2),
                    number(2, 2),
                    number(1, 2),
                    number(0, 2),
                    number(1, 2),
                    number(offset, 4),
                    number(picture.length, 4),
                    number(2, 2),
                    number(0, 2),
                    number(1, 2),
                    number(offset + picture.length, 4),
                    number(opacity.length, 4));
            head = join(
                    box("ftyp", text("heic\0\0\0\0mif1heic")),
                    box(
                            "meta",
                            number(0, 4),
                            box("pitm", number(0, 4), number(1, 2)),
                            box("iloc", places),
                            box("iref", references),
                            box("iprp", box("ipco", properties), box("ipma", links))));
        }
        return join(head, box("mdat", picture, opacity));
    }

    /// The first box of a name, which lies before the data.
    private static byte[] property(byte[] file, String name) {
        int at = new String(file, StandardCharsets.ISO_8859_1).indexOf(name) - 4;
        return Arrays.copyOfRange(file, at, at + ByteBuffer.wrap(file).getInt(at));
    }

    /// What lies in the box at the end.
    private static byte[] data(byte[] file) {
        int at = 0;
        while (!new String(file, at + 4, 4, StandardCharsets.ISO_8859_1).equals("mdat")) {
            at += ByteBuffer.wrap(file).getInt(at);
        }
        return Arrays.copyOfRange(file, at + 8, file.length);
    }

    private static byte[] head(byte[] properties, byte[] links, int offset, int length) {
        byte[] place = join(number(0, 4), number(0x4400, 2), number(1, 2));
        place = join(place, number(1, 2), number(0, 2), number(1, 2), number(offset, 4), number(length, 4));
        return join(
                box("ftyp", text("heic\0\0\0\0mif1heic")),
                box(
                        "meta",
                        number(0, 4),
                        box("pitm", number(0, 4), number(1, 2)),
                        box("iloc", place),
                        box("iprp", box("ipco", properties), box("ipma", links))));
    }

    private static List<byte[]> units(byte[] stream) {
        List<byte[]> units = new ArrayList<>();
        int from = -1;
        for (int i = 0; i + 2 < stream.length; i++) {
            if (stream[i] == 0 && stream[i + 1] == 0 && stream[i + 2] == 1) {
                if (from >= 0) {
                    units.add(Arrays.copyOfRange(stream, from, stream[i - 1] == 0 ? i - 1 : i));
                }
                from = i + 3;
            }
        }
        units.add(Arrays.copyOfRange(stream, from, stream.length));
        return units;
    }

    private static byte[] box(String name, byte[]... parts) {
        byte[] content = join(parts);
        return join(number(8 + content.length, 4), text(name), content);
    }

    private static byte[] fraction(int numerator, int denominator) {
        return join(number(numerator, 4), number(denominator, 4));
    }

    private static byte[] number(int value, int bytes) {
        byte[] all = ByteBuffer.allocate(4).putInt(value).array();
        return Arrays.copyOfRange(all, 4 - bytes, 4);
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            joined.writeBytes(part);
        }
        return joined.toByteArray();
    }
}
