package org.jspdl.media.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.jspdl.media.frame.Decoder;
import org.jspdl.media.frame.Frames;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.jspdl.memory.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PacketBytesTest {
    private static byte[] written(String name, StreamInfo.Kind kind) throws IOException {
        try (Demuxer demuxer = Demuxer.open(MediaSource.of(TestMedia.file(name)));
                Packets packets = demuxer.packets(demuxer.info().require(kind), TimeWindow.of(0.3, 0.9))) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            packets.writeTo(bytes);
            return bytes.toByteArray();
        }
    }

    private static Lease received(byte[] bytes, BufferPool pool) {
        Lease lease = pool.lease(bytes.length);
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, lease.segment(), 0, bytes.length);
        return lease;
    }

    @SuppressWarnings("try") // the packet is closed before the pool is asked
    @ParameterizedTest
    @ValueSource(strings = {"h264.mp4", "vp9.webm", "a.m4a", "a.ogg"})
    void packetsOverReceivedBytesLieInThemAndDecodeAlike(String name) throws IOException {
        StreamInfo.Kind kind = name.startsWith("a.") ? StreamInfo.Kind.AUDIO : StreamInfo.Kind.VIDEO;
        byte[] bytes = written(name, kind);
        try (BufferPool pool = BufferPool.create("test", 1 << 24);
                Packet packet = Packet.create()) {
            Lease lease = received(bytes, pool);
            MemorySegment memory = lease.segment();
            Packets packets = Packets.over(lease);
            for (int i = 0; i < packets.count(); i++) {
                packets.get(i, packet);
                assertThat(packet.data().address())
                        .isBetween(memory.address(), memory.address() + bytes.length - packet.byteSize());
            }
            packets.get(0, packet);
            try (Packets copy = packets.copy();
                    Frames ours = Decoder.decodeAll(packets);
                    Frames theirs = Decoder.decodeAll(Packets.readFrom(new java.io.ByteArrayInputStream(bytes)));
                    Tensor one = ours.toTensor(pool);
                    Tensor other = theirs.toTensor(pool)) {
                assertThat(one.segment().mismatch(other.segment())).isEqualTo(-1);
                assertThat(copy.count()).isPositive();
                assertThat(lease.isClosed()).isFalse();
            }
            assertThat(lease.isClosed()).as("a packet refers to it").isFalse();
            packet.close();
            assertThat(pool.outstanding()).isZero();
        }
    }

    /// A search with a seed: bytes that were cut or changed make packets, or an [IOException], and the memory is
    /// given back.
    @Test
    void damagedBytesAreRefusedAndGivenBack() throws IOException {
        byte[] bytes = written("a.m4a", StreamInfo.Kind.AUDIO);
        SplittableRandom random = new SplittableRandom(5);
        int refused = 0;
        try (BufferPool pool = BufferPool.create("test", 1 << 24)) {
            for (int i = 0; i < 500; i++) {
                byte[] mutant = bytes.clone();
                boolean cut = i % 2 == 0;
                if (!cut) {
                    mutant[random.nextInt(i % 3 == 0 ? 300 : mutant.length)] = (byte) random.nextInt(256);
                }
                byte[] shown = cut ? java.util.Arrays.copyOf(mutant, random.nextInt(mutant.length)) : mutant;
                try {
                    Packets.over(received(shown, pool)).close();
                    assertThat(cut).as("cut bytes were accepted, round %d", i).isFalse();
                } catch (IOException expected) {
                    refused++;
                }
                assertThat(pool.outstanding()).as("round %d", i).isZero();
            }
            byte[] padded = bytes.clone();
            padded[padded.length - 10] = 1;
            assertThatThrownBy(() -> Packets.over(received(padded, pool))).isInstanceOf(IOException.class);
        }
        assertThat(refused).isGreaterThanOrEqualTo(250);
    }

    @Test
    void theBuildSaysWhatItHas() {
        MediaBuild build = MediaBuild.current();

        assertThat(build.versions()).containsKeys("ffmpeg", "libavcodec", "libavfilter");
        assertThat(build.decoders()).contains("h264", "flac", "aac").isSorted();
        assertThat(build.encoders()).contains("flac");
        assertThat(build.filters()).contains("scale", "hflip", "atrim").isSorted();
        assertThat(build.bitstreamFilters()).contains("h264_mp4toannexb");
        assertThat(build.demuxers()).contains("wav").anyMatch(name -> name.contains("mp4"));
        assertThat(build.muxers()).contains("mp4", "wav");
        assertThat(build.license()).contains("GPL");
    }
}
