package org.jspdl.media.video;

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
import org.jspdl.memory.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Recordings from the air or a network lack packets of 188 bytes here and there. Decoders often show other pixels
/// then, or fewer frames, and find nothing wrong.
class LostPacketsTest {
    private static final boolean CAMPAIGN = Boolean.getBoolean("campaign");
    private static final int PACKET = 188;
    /// Of the program itself, without which there is no stream, and of its end, behind which no counter goes on.
    private static final int AT_THE_ENDS = 8;

    @ParameterizedTest
    @ValueSource(strings = {"h264.ts", "mpeg2-opengop.ts", "hevc-opengop.ts"})
    void aStreamThatLacksAPacketIsRefusedOrShowsTheSame(String name) throws Exception {
        byte[] whole = Files.readAllBytes(TestMedia.file(name));
        int packets = whole.length / PACKET;
        Map<Integer, String> wrong = new TreeMap<>();
        int refused = 0;
        try (Tensor expected = Video.load(TestMedia.file(name))) {
            for (int lost = AT_THE_ENDS;
                    lost < packets - AT_THE_ENDS;
                    lost += CAMPAIGN ? 1 : Math.max(1, packets / 24)) {
                try (Tensor shown = Video.load(MediaSource.of(without(whole, lost)), VideoSpec.original())) {
                    if (!shown.shape().equals(expected.shape())) {
                        wrong.put(lost, shown.shape().toString());
                    } else if (shown.segment().mismatch(expected.segment()) >= 0) {
                        wrong.put(lost, "other pixels");
                    }
                } catch (MediaException damage) {
                    refused++;
                }
            }
        }
        assertThat(wrong).as("what came without packet n of %d", packets).isEmpty();
        assertThat(refused).isPositive();
    }

    @Test
    void aWindowBeforeWhatIsLostIsDecoded() throws Exception {
        byte[] whole = Files.readAllBytes(TestMedia.file("hevc-opengop.ts"));
        byte[] lacking = without(whole, whole.length / PACKET / 2);
        VideoSpec before = VideoSpec.original().window(TimeWindow.of(1.4, 1.9));
        try (Tensor expected = Video.load(MediaSource.of(whole), before);
                Tensor shown = Video.load(MediaSource.of(lacking), before)) {
            assertThat(shown.shape()).isEqualTo(expected.shape());
            assertThat(shown.segment().mismatch(expected.segment())).isEqualTo(-1);
        }
        VideoSpec around = VideoSpec.original().window(TimeWindow.of(2.5, 3.5));
        assertThatThrownBy(() -> Video.load(MediaSource.of(lacking), around)).isInstanceOf(MediaException.class);
    }

    @Test
    void theMessageSaysWhatIsWrongAndWhatHelps() throws Exception {
        byte[] lacking = without(Files.readAllBytes(TestMedia.file("mpeg2-opengop.ts")), 40);

        assertThatThrownBy(() -> Video.load(MediaSource.of(lacking), VideoSpec.original()))
                .isInstanceOf(MediaException.class)
                .hasMessageContaining("lost or damaged")
                .hasMessageContaining("Damage.SKIPPED");
        VideoSpec lenient =
                VideoSpec.original().decoding(DecodeOptions.standard().damage(DecodeOptions.Damage.SKIPPED));
        try (Tensor shown = Video.load(MediaSource.of(lacking), lenient)) {
            assertThat(shown.shape().extent(0)).isPositive();
        }
    }

    private static byte[] without(byte[] whole, int lost) {
        byte[] rest = new byte[whole.length - PACKET];
        System.arraycopy(whole, 0, rest, 0, lost * PACKET);
        System.arraycopy(whole, (lost + 1) * PACKET, rest, lost * PACKET, rest.length - lost * PACKET);
        return rest;
    }
}
