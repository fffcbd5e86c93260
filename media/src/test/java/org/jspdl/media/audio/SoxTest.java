package org.jspdl.media.audio;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import org.jspdl.media.stream.TestMedia;
import org.jspdl.memory.Tensor;
import org.jspdl.testing.Programs;
import org.jspdl.wav.SampleLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Compares with `sox`, whose readers, mixer and resampler have nothing in common with FFmpeg's.
class SoxTest {
    private static final AudioSpec INTERLEAVED = AudioSpec.original().layout(SampleLayout.INTERLEAVED);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "u8.wav",
                "s16.wav",
                "s24.wav",
                "s32.wav",
                "f32.wav",
                "f64.wav",
                "mono.wav",
                "s16.flac",
                "s24.flac",
                "six.flac"
            })
    void samplesAreThoseThatSoxReads(String name) {
        Path file = TestMedia.file(name);
        try (Tensor ours = Audio.load(file, INTERLEAVED)) {
            assertThat(worst(ours, sox(file, ""))).isLessThan(1e-7);
        }
    }

    @Test
    void twoChannelsAreAddedWithEqualWeightsLargerThanThoseOfSox() {
        Path file = TestMedia.file("f32.wav");
        try (Tensor ours = Audio.load(file, INTERLEAVED.channels(1))) {
            float[] averages = sox(file, "remix -");
            for (int i = 0; i < averages.length; i++) {
                // FFmpeg keeps the power of sounds that differ, sox their mean.
                averages[i] *= (float) Math.sqrt(2);
            }
            assertThat(worst(ours, averages)).isLessThan(1e-6);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {16_000, 22_050, 48_000})
    void soundBelowTheLimitOfTheRateIsResampledAsSoxDoes(int rate) {
        Path file = TestMedia.file("f32.wav");
        try (Tensor ours = Audio.load(file, INTERLEAVED.sampleRateHz(rate))) {
            float[] theirs = sox(file, "rate -v " + rate);
            float[] samples = ours.segment().toArray(ValueLayout.JAVA_FLOAT);
            assertThat(samples.length / 2).isBetween(theirs.length / 2 - 1, theirs.length / 2 + 1);
            // At both ends each continues a sound that breaks off in its own way.
            int edge = 2 * (rate / 50);
            double worst = 0;
            for (int i = edge; i < samples.length - edge; i++) {
                worst = Math.max(worst, Math.abs(samples[i] - theirs[i]));
            }
            assertThat(worst).isLessThan(2e-3);
        }
    }

    private static double worst(Tensor ours, float[] theirs) {
        float[] samples = ours.segment().toArray(ValueLayout.JAVA_FLOAT);
        assertThat(samples.length).isEqualTo(theirs.length);
        double worst = 0;
        for (int i = 0; i < samples.length; i++) {
            worst = Math.max(worst, Math.abs(samples[i] - theirs[i]));
        }
        return worst;
    }

    private static float[] sox(Path file, String effects) {
        byte[] printed = Programs.run("sox -V1 -D " + file + " -t raw -e floating-point -b 32 -L - " + effects);
        return MemorySegment.ofArray(printed).toArray(ValueLayout.JAVA_FLOAT_UNALIGNED);
    }
}
