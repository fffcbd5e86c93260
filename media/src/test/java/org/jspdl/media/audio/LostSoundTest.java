package org.jspdl.media.audio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.util.Map;
import java.util.TreeMap;
import org.jspdl.input.MediaException;
import org.jspdl.media.frame.DecodeOptions;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.media.stream.TestMedia;
import org.jspdl.media.stream.TimeWindow;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// As pictures do, sound of transport streams lacks packets of 188 bytes here and there.
class LostSoundTest {
    private static final boolean CAMPAIGN = Boolean.getBoolean("campaign");
    private static final int PACKET = 188;
    /// Of the program itself, without which there is no stream, and of its end, behind which no counter goes on.
    private static final int AT_THE_ENDS = 20;

    @ParameterizedTest
    @ValueSource(strings = {"long-aac.ts", "long-mp2.ts", "long-ac3.ts"})
    void soundThatLacksAPacketIsRefusedOrTheSame(String name) throws Exception {
        byte[] whole = Files.readAllBytes(TestMedia.file(name));
        int packets = whole.length / PACKET;
        Map<Integer, String> wrong = new TreeMap<>();
        int refused = 0;
        try (BufferPool pool = BufferPool.create("test", 1 << 26);
                AudioDecoder decoder = AudioDecoder.create(AudioSpec.original());
                Tensor expected = decoder.decode(MediaSource.of(whole), pool)) {
            for (int lost = AT_THE_ENDS;
                    lost < packets - AT_THE_ENDS;
                    lost += CAMPAIGN ? 1 : Math.max(1, packets / 40)) {
                try (Tensor heard = decoder.decode(MediaSource.of(without(whole, lost, 1)), pool)) {
                    if (!heard.shape().equals(expected.shape())) {
                        wrong.put(lost, heard.shape().toString());
                    } else if (heard.segment().mismatch(expected.segment()) >= 0) {
                        wrong.put(lost, "other samples");
                    }
                } catch (MediaException damage) {
                    refused++;
                }
            }
        }
        assertThat(wrong).as("what came without packet n of %d", packets).isEmpty();
        assertThat(refused).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"long-aac.ts", "long-mp2.ts"})
    void windowsBesideWhatIsLostAreTheSameAndThoseAroundItRefused(String name) throws Exception {
        byte[] whole = Files.readAllBytes(TestMedia.file(name));
        byte[] lacking = without(whole, whole.length / PACKET / 2, 5);
        try (BufferPool pool = BufferPool.create("test", 1 << 26)) {
            for (TimeWindow beside : new TimeWindow[] {TimeWindow.of(2, 3), TimeWindow.of(8, 9)}) {
                try (AudioDecoder decoder =
                                AudioDecoder.create(AudioSpec.original().window(beside));
                        Tensor expected = decoder.decode(MediaSource.of(whole), pool);
                        Tensor heard = decoder.decode(MediaSource.of(lacking), pool)) {
                    assertThat(heard.shape()).isEqualTo(expected.shape());
                    assertThat(heard.segment().mismatch(expected.segment())).isEqualTo(-1);
                }
            }
            try (AudioDecoder decoder = AudioDecoder.create(AudioSpec.original().window(TimeWindow.of(5, 7)))) {
                assertThatThrownBy(() -> decoder.decode(MediaSource.of(lacking), pool))
                        .isInstanceOf(MediaException.class)
                        .hasMessageContaining("lost or damaged")
                        .hasMessageContaining("Damage.SKIPPED");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"long-aac.ts", "long-mp2.ts", "long-ac3.ts"})
    void whatIsDamagedIsSkippedOnRequest(String name) throws Exception {
        byte[] whole = Files.readAllBytes(TestMedia.file(name));
        int packets = whole.length / PACKET;
        try (BufferPool pool = BufferPool.create("test", 1 << 26);
                AudioDecoder decoder = AudioDecoder.create(
                        AudioSpec.original().decoding(DecodeOptions.standard().damage(DecodeOptions.Damage.SKIPPED)))) {
            for (int lost = AT_THE_ENDS; lost < packets - AT_THE_ENDS; lost += packets / 40) {
                try (Tensor heard = decoder.decode(MediaSource.of(without(whole, lost, 5)), pool)) {
                    assertThat(heard.shape().elements()).isPositive();
                }
            }
        }
    }

    private static byte[] without(byte[] whole, int lost, int count) {
        byte[] rest = new byte[whole.length - count * PACKET];
        System.arraycopy(whole, 0, rest, 0, lost * PACKET);
        System.arraycopy(whole, (lost + count) * PACKET, rest, lost * PACKET, rest.length - lost * PACKET);
        return rest;
    }
}
