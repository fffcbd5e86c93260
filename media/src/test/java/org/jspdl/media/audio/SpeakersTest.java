package org.jspdl.media.audio;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;
import org.jspdl.testing.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which loudspeakers channels are for decides how they are mixed.
class SpeakersTest {
    private static final int RATE = 48_000;

    @TempDir
    Path folder;

    /// Three channels of which the last is the center, and then one for low tones, which is not mixed.
    @Test
    void aChangeOfSpeakersChangesTheMix() throws IOException {
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        for (String layout : new String[] {"3.0", "2.1"}) {
            Path part = folder.resolve(layout + ".ac3");
            Programs.run("ffmpeg -v error -f lavfi -i aevalsrc=0|0|0.5*sin(2*PI*60*t):c=" + layout
                    + ":s=48000:d=1 -c:a ac3 -b:a 192k " + part);
            both.writeBytes(Files.readAllBytes(part));
        }
        Path file = Files.write(folder.resolve("both.ac3"), both.toByteArray());
        try (Tensor mixed = Audio.load(file, AudioSpec.original().channels(1))) {
            assertThat(loudest(mixed, RATE / 4, RATE / 2)).isGreaterThan(0.2f);
            assertThat(loudest(mixed, RATE * 3 / 2, RATE * 7 / 4)).isLessThan(0.01f);
        }
    }

    /// A sound that has as many channels as are wanted stays as it is, by one call as in pieces.
    @ParameterizedTest
    @ValueSource(strings = {"quad", "4.0", "3.1"})
    void asManyChannelsAreNotMixed(String layout) {
        Path file = folder.resolve("four.mka");
        Programs.run("ffmpeg -v error -f lavfi -i aevalsrc=0.1|0.2|0.3|0.4:c=" + layout + ":s=48000:d=1 -c:a pcm_s16le "
                + file);
        AudioSpec spec = AudioSpec.original().channels(4);
        try (Tensor whole = Audio.load(file, spec);
                AudioStream stream = AudioStream.open(MediaSource.of(file), spec, 1_000);
                BufferPool pool = BufferPool.unbounded("pieces")) {
            Optional<Tensor> first = stream.next(pool);
            assertThat(first).isPresent();
            try (Tensor piece = first.orElseThrow()) {
                for (int c = 0; c < 4; c++) {
                    assertThat(sample(whole, c * RATE + 500)).isEqualTo((c + 1) / 10f, within());
                    assertThat(sample(piece, c * 1_000 + 500)).isEqualTo((c + 1) / 10f, within());
                }
            }
        }
    }

    private static org.assertj.core.data.Offset<Float> within() {
        return org.assertj.core.api.Assertions.within(0.001f);
    }

    private static float sample(Tensor tensor, long index) {
        return tensor.segment().getAtIndex(ValueLayout.JAVA_FLOAT, index);
    }

    private static float loudest(Tensor tensor, int from, int to) {
        float loudest = 0;
        for (int i = from; i < to; i++) {
            loudest = Math.max(loudest, Math.abs(sample(tensor, i)));
        }
        return loudest;
    }
}
