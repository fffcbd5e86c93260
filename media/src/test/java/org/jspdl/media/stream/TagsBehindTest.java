package org.jspdl.media.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Tags behind the sound of an MP3 file, and what only looks like one.
class TagsBehindTest {
    private static final int SOUND = 20_000;

    private static byte[] behind(int sound, byte[] tags) {
        byte[] file = Arrays.copyOf(new byte[sound], sound + tags.length);
        System.arraycopy(tags, 0, file, sound, tags.length);
        return file;
    }

    private static byte[] latin(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] ape(int told, int flags) {
        ByteBuffer tag = ByteBuffer.allocate(1_032).order(ByteOrder.LITTLE_ENDIAN);
        tag.position(1_000).put(latin("APETAGEX")).putInt(2000).putInt(told).putInt(1);
        return tag.putInt(flags).array();
    }

    private static long soundEnd(byte[] file) throws IOException {
        return TagsBehind.soundEnd(SourceBytes.ofMemory(MemorySegment.ofArray(file)), true);
    }

    @Test
    void anApeTagIsNoLongerThanTheFile() throws IOException {
        assertThat(soundEnd(behind(SOUND, ape(1_032, 0)))).isEqualTo(SOUND);
        for (int told : new int[] {0, 31, SOUND + 1_032, SOUND + 1_033, Integer.MAX_VALUE, Integer.MIN_VALUE, -1}) {
            assertThat(soundEnd(behind(SOUND, ape(told, 0))))
                    .as("%d bytes", told)
                    .isEqualTo(SOUND + 1_032);
        }
    }

    @Test
    void anApeTagWhoseHeaderIsNotThereIsNone() throws IOException {
        assertThat(soundEnd(behind(SOUND, ape(1_032, 0x8000_0000)))).isEqualTo(SOUND + 1_032);
        assertThat(soundEnd(behind(SOUND, ape(1_032, 0x2000_0000)))).isEqualTo(SOUND + 1_032);
    }

    @Test
    void lyricsThatDoNotBeginAreNone() throws IOException {
        for (String end : new String[] {
            "000011LYRICS200", "999999LYRICS200", "-00011LYRICS200", "00001\u0661LYRICS200", "LYRICSEND"
        }) {
            byte[] file = behind(SOUND, latin(end));
            assertThat(soundEnd(file)).as(end).isEqualTo(file.length);
        }
        assertThat(soundEnd(behind(SOUND, latin("LYRICSBEGIN000011LYRICS200")))).isEqualTo(SOUND);
    }

    @Test
    void whatIsNothingButTagsIsLeft() throws IOException {
        byte[] tag = Arrays.copyOf(latin("TAG"), 128);
        assertThat(soundEnd(tag)).isEqualTo(128);
        assertThat(soundEnd(behind(1, tag))).isEqualTo(1);
        assertThat(soundEnd(behind(SOUND, tag))).isEqualTo(SOUND + 128);
        assertThat(soundEnd(new byte[0])).isZero();
    }

    @Test
    void damagedTagsNeverEndOutsideTheFile() throws IOException {
        SplittableRandom random = new SplittableRandom(5);
        byte[] tags = behind(0, latin("LYRICSBEGIN000011LYRICS200" + "LYRICSBEGINxLYRICSEND" + "3DI\4\0\0\0\0\0\0"));
        for (int i = 0; i < 20_000; i++) {
            byte[] file = behind(random.nextInt(50), Arrays.copyOf(tags, 1 + random.nextInt(tags.length)));
            file[random.nextInt(file.length)] = (byte) random.nextInt();
            assertThat(soundEnd(file)).isBetween(1L, (long) file.length);
        }
    }

    @Test
    void whatTheTagsSayIsKept() throws IOException {
        byte[] sound = Files.readAllBytes(TestMedia.file("a.mp3"));
        byte[] tags = behind(1_032, Arrays.copyOf(latin("TAGA title"), 128));
        System.arraycopy(ape(1_032, 0), 0, tags, 0, 1_032);
        byte[] file = behind(sound.length, tags);
        System.arraycopy(sound, 0, file, 0, sound.length);
        assertThat(soundEnd(file)).isEqualTo(sound.length);
        int id3v2 = 10 + (sound[8] << 7 | sound[9]);
        byte[] bare = Arrays.copyOfRange(file, id3v2, file.length);
        try (Demuxer demuxer = Demuxer.open(MediaSource.of(bare))) {
            assertThat(demuxer.info().metadata()).containsEntry("title", "A title");
        }
    }
}
