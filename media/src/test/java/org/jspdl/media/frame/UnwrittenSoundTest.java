package org.jspdl.media.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.SplittableRandom;
import org.jspdl.media.audio.AudioDecoder;
import org.jspdl.media.audio.AudioSpec;
import org.jspdl.media.internal.isolation.Outcomes;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.media.stream.TestMedia;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.CheckedMemory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Memory that is not silent before a decoder of sound writes to it does not show, however its file is damaged: it
/// holds another pattern each time.
///
/// 60 files of each kind in every build, 5,000 with `-Dcampaign=true`.
class UnwrittenSoundTest {
    private static final int FILES = Boolean.getBoolean("campaign") ? 5_000 : 60;
    private static final int MOST_CHANGES = 12;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a.mp3",
                "long-mp3.mkv",
                "long-mp2.ts",
                "long-flac.mkv",
                "long-flac.ogg",
                "long-alac.m4a",
                "long.ogg",
                "long-vorbis.mkv",
                "a.opus",
                "long-opus60.opus"
            })
    void nothingOfTheMemoryBeforeIsDelivered(String name) throws IOException {
        assertThat(CheckedMemory.isOn()).as("memory is checked in tests").isTrue();
        byte[] whole = Files.readAllBytes(TestMedia.file(name));
        SplittableRandom random = new SplittableRandom(name.hashCode());
        try (BufferPool pool = BufferPool.create("test", 1 << 26);
                AudioDecoder decoder = AudioDecoder.create(AudioSpec.original())) {
            for (int i = 0; i < FILES; i++) {
                byte[] file = i == 0 ? whole : damaged(whole, random);
                assertThat(Outcomes.of(() -> decoder.decode(MediaSource.of(file), pool)))
                        .as("file %d", i)
                        .isEqualTo(Outcomes.of(() -> decoder.decode(MediaSource.of(file), pool)));
            }
        }
    }

    private static byte[] damaged(byte[] whole, SplittableRandom random) {
        byte[] file = whole.clone();
        for (int k = random.nextInt(1, MOST_CHANGES); k > 0; k--) {
            file[random.nextInt(file.length)] = (byte) random.nextInt(256);
        }
        return file;
    }
}
