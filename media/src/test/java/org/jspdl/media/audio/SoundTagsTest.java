package org.jspdl.media.audio;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspdl.input.MediaException;
import org.jspdl.media.frame.DecodeOptions;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.media.stream.Rational;
import org.jspdl.media.stream.TestMedia;
import org.jspdl.media.stream.TimeWindow;
import org.jspdl.memory.Tensor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tags before and behind a sound are no sound: the samples are those of the file without them, of the whole and of a
/// window, by our own readers and by FFmpeg.
class SoundTagsTest {
    private static byte[] cover(int size) {
        byte[] cover = new byte[size];
        SplittableRandom random = new SplittableRandom(size);
        for (int i = 0; i < size; i++) {
            cover[i] = (byte) random.nextInt(256);
        }
        return cover;
    }

    private static byte[] latin(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] id3v1() {
        return Arrays.copyOf(latin("TAGA title"), 128);
    }

    private static byte[] id3v2(int version, byte[] cover) {
        byte[] picture = joined(latin("\0image/png\0\3\0"), cover);
        ByteBuffer tag = ByteBuffer.allocate(20 + picture.length + 64);
        tag.put(latin("ID3")).put((byte) version).put((byte) 0).put((byte) 0);
        tag.putInt(safe(10 + picture.length + 64)).put(latin("APIC"));
        tag.putInt(version == 4 ? safe(picture.length) : picture.length).putShort((short) 0);
        return tag.put(picture).array();
    }

    /// Seven bits in a byte.
    private static int safe(int size) {
        return (size & 0x7F) | (size & 0x3F80) << 1 | (size & 0x1F_C000) << 2;
    }

    private static byte[] ape(boolean header, byte[] cover) {
        byte[] key = latin("Cover Art (Front)\0");
        int size = 8 + key.length + cover.length + 32;
        ByteBuffer tag = ByteBuffer.allocate((header ? 32 : 0) + size).order(ByteOrder.LITTLE_ENDIAN);
        if (header) {
            apeEnd(tag, size, 0xA000_0000);
        }
        tag.putInt(cover.length).putInt(2).put(key).put(cover);
        apeEnd(tag, size, header ? 0x8000_0000 : 0);
        return tag.array();
    }

    private static void apeEnd(ByteBuffer tag, int size, int flags) {
        tag.put(latin("APETAGEX"))
                .putInt(2000)
                .putInt(size)
                .putInt(1)
                .putInt(flags)
                .putLong(0);
    }

    private static byte[] lyrics() {
        return latin("LYRICSBEGININD0000211LYR00012[00:01]la la000041LYRICS200");
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private static byte[] chunk(String name, byte[] content) {
        ByteBuffer chunk =
                ByteBuffer.allocate(8 + content.length + content.length % 2).order(ByteOrder.LITTLE_ENDIAN);
        return chunk.put(latin(name)).putInt(content.length).put(content).array();
    }

    /// A WAV file with other chunks before and behind its samples.
    private static byte[] wav(byte[] plain, byte[] before, byte[] behind) {
        String text = new String(plain, StandardCharsets.ISO_8859_1);
        int format = text.indexOf("fmt ");
        byte[] body = joined(
                latin("WAVE"),
                Arrays.copyOfRange(plain, format, format + 24),
                before,
                Arrays.copyOfRange(plain, text.indexOf("data"), plain.length),
                behind);
        return chunk("RIFF", body);
    }

    private static Map<String, byte[]> tagged(String name, byte[] plain) {
        Map<String, byte[]> files = new LinkedHashMap<>();
        if (name.endsWith(".wav")) {
            byte[] nothing = new byte[0];
            byte[] list = chunk("LIST", joined(latin("INFO"), chunk("INAM", id3v1())));
            byte[] id3 = chunk("id3 ", id3v2(3, cover(501)));
            files.put("LIST before", wav(plain, list, nothing));
            files.put("LIST behind", wav(plain, nothing, list));
            files.put("id3 before", wav(plain, id3, nothing));
            files.put("id3 behind", wav(plain, nothing, id3));
            files.put("all", wav(plain, joined(list, id3, chunk("odd ", new byte[33])), joined(id3, list)));
            files.put("ID3v1", joined(plain, id3v1()));
            return files;
        }
        for (byte[] cover : List.of(cover(501), cover(70_001))) {
            String size = ", " + cover.length + " bytes";
            files.put("ID3v2.3" + size, joined(id3v2(3, cover), plain));
            files.put("ID3v2.4" + size, joined(id3v2(4, cover), plain));
            files.put("ID3v2 twice" + size, joined(id3v2(3, cover), id3v2(4, cover), plain));
        }
        byte[] cover = cover(501);
        files.put("APE", joined(plain, ape(true, cover)));
        files.put("APE without a header", joined(plain, ape(false, cover)));
        files.put("ID3v2, APE, ID3v1", joined(id3v2(4, cover), plain, ape(true, cover), id3v1()));
        files.putAll(largeBehind(plain));
        files.put("ID3v1", joined(plain, id3v1()));
        files.put("Lyrics3, ID3v1", joined(plain, lyrics(), id3v1()));
        return files;
    }

    /// FFmpeg takes the padding behind the sound for sound, or the tag for a packet, if it sees a large tag behind
    /// it.
    private static Map<String, byte[]> largeBehind(byte[] plain) {
        byte[] cover = cover(70_001);
        byte[] footed = id3v2(4, cover);
        footed[5] = 0x10;
        byte[] footer = Arrays.copyOf(footed, 10);
        System.arraycopy(latin("3DI"), 0, footer, 0, 3);
        byte[] text = Arrays.copyOf(latin("TAG+A title"), 227);
        byte[] oldLyrics = latin("LYRICSBEGIN[00:01]la la" + "la ".repeat(900) + "LYRICSEND");
        Map<String, byte[]> files = new LinkedHashMap<>();
        for (boolean header : new boolean[] {true, false}) {
            byte[] ape = ape(header, cover);
            String name = "APE of 70 KB" + (header ? "" : " without a header");
            files.put(name, joined(plain, ape));
            files.put(name + ", ID3v1", joined(plain, ape, id3v1()));
            files.put(name + ", Lyrics3, ID3v1", joined(plain, ape, lyrics(), id3v1()));
            files.put("Lyrics3, " + name + ", ID3v1", joined(plain, lyrics(), ape, id3v1()));
            files.put("ID3v2, " + name, joined(id3v2(3, cover), plain, ape));
        }
        files.put("Lyrics3 version 1, ID3v1", joined(plain, oldLyrics, id3v1()));
        files.put("ID3v1 with its extension", joined(plain, text, id3v1()));
        files.put("ID3v2 with a footer", joined(plain, footed, footer));
        return files;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "long-vbr.mp3",
                "long-cbr.mp3",
                "long-bare.mp3",
                "long.aac",
                "long.ac3",
                "long.eac3",
                "long-s16.flac",
                "long-s16.wav"
            })
    void tagsAreNoSound(String name) throws IOException {
        byte[] plain = Files.readAllBytes(TestMedia.file(name));
        List<String> wrong = new ArrayList<>();
        for (AudioSpec spec : specs()) {
            byte[] expected = samples(plain, spec);
            tagged(name, plain).forEach((tags, file) -> {
                String with =
                        tags + ", " + spec.window() + ", " + spec.decoding().options() + ": ";
                try {
                    byte[] ours = samples(file, spec);
                    if (!Arrays.equals(ours, expected)) {
                        wrong.add(with + ours.length + " bytes, not " + expected.length + ", first difference at "
                                + Arrays.mismatch(ours, expected));
                    }
                } catch (MediaException refused) {
                    wrong.add(with + refused.getMessage());
                }
            });
        }
        assertThat(wrong).as(name).isEmpty();
    }

    private static List<AudioSpec> specs() {
        AudioSpec whole = AudioSpec.original();
        AudioSpec late = whole.window(TimeWindow.of("7", "22/3"));
        AudioSpec end = whole.window(TimeWindow.from(Rational.parse("17/2")));
        DecodeOptions byFfmpeg = DecodeOptions.standard().option("err_detect", "crccheck+explode");
        return List.of(whole, late, end, whole.decoding(byFfmpeg), late.decoding(byFfmpeg));
    }

    private static byte[] samples(byte[] file, AudioSpec spec) {
        try (Tensor tensor = Audio.load(MediaSource.of(file), spec)) {
            return tensor.segment().toArray(ValueLayout.JAVA_BYTE);
        }
    }
}
