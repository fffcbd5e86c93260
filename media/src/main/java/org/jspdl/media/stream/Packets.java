package org.jspdl.media.stream;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.jspdl.media.internal.ffmpeg.AvPacket;
import org.jspdl.media.internal.lifetime.LiveHandles;
import org.jspdl.memory.Lease;

/// Compressed packets of one stream, in the order in which they are decoded, with what a decoder must know of the
/// stream.
///
/// Owned by whoever got them, who closes them or gives them to a decoder, a filter or a muxer: these take the packets,
/// and using them again is an error that says so. Used by one thread at a time.
public final class Packets implements AutoCloseable {
    private final StreamInfo stream;
    private final TimeWindow window;
    private List<MemorySegment> packets;
    private String ended = "";

    /// No packets yet; the caller owns what it makes.
    ///
    /// @param window the span of time that decoding them will give
    public Packets(StreamInfo stream, TimeWindow window) {
        this.stream = stream;
        this.window = window;
        this.packets = new ArrayList<>();
        LiveHandles.opened();
    }

    /// Takes what `packet` refers to, which is empty afterwards.
    public void add(Packet packet) {
        List<MemorySegment> taking = open();
        MemorySegment own = AvPacket.alloc();
        AvPacket.move(own, packet.nativePacket());
        taking.add(own);
    }

    /// Gives each packet in turn to `consumer`, in one packet that is filled again and again, and ends these
    /// packets, also if the consumer fails.
    ///
    /// @param owner what takes them, such as `a decoder`, for the error that a later use is
    public void drain(String owner, Consumer<Packet> consumer) {
        List<MemorySegment> taken = release("were taken by " + owner);
        int done = 0;
        try (Packet packet = Packet.create()) {
            for (MemorySegment next : taken) {
                AvPacket.unref(packet.nativePacket());
                AvPacket.move(packet.nativePacket(), next);
                AvPacket.free(next);
                done++;
                consumer.accept(packet);
            }
        } finally {
            taken.subList(done, taken.size()).forEach(AvPacket::free);
        }
    }

    /// Takes a packet.
    void addOwn(MemorySegment packet) {
        open().add(packet);
    }

    List<MemorySegment> open() {
        if (!ended.isEmpty()) {
            throw new IllegalStateException("these packets of " + stream + " " + ended
                    + " and can't be used again; use copy() before, to keep some");
        }
        return packets;
    }

    private List<MemorySegment> release(String why) {
        List<MemorySegment> released = open();
        ended = why;
        packets = List.of();
        LiveHandles.closed();
        return released;
    }

    /// The stream they belong to.
    public StreamInfo stream() {
        return stream;
    }

    /// The span of time that decoding them gives; packets before it are there because others depend on them.
    public TimeWindow window() {
        return window;
    }

    /// How many packets there are, those before the window included.
    public int count() {
        return open().size();
    }

    /// The bytes of all payloads.
    public long byteSize() {
        return open().stream().mapToLong(AvPacket::size).sum();
    }

    /// The times of presentation inside the window, in ascending order, in ticks of the stream's time base.
    public long[] timestamps() {
        long first = window.firstTick(stream.timeBase());
        long end = window.endTick(stream.timeBase());
        return open().stream()
                .filter(packet -> Packet.isShown(packet, stream))
                .mapToLong(packet ->
                        AvPacket.pts(packet) == AvPacket.NO_TIME ? AvPacket.dts(packet) : AvPacket.pts(packet))
                .filter(time -> time != AvPacket.NO_TIME && time >= first && time < end)
                .sorted()
                .toArray();
    }

    /// Whether every packet has a time of presentation.
    public boolean isTimed() {
        return open().stream()
                .allMatch(packet -> AvPacket.pts(packet) != AvPacket.NO_TIME || !Packet.isShown(packet, stream));
    }

    /// How long the frame that is presented last is shown, in ticks of the stream's time base, 0 if unknown.
    public long lastDuration() {
        return open().stream()
                .max(Comparator.comparingLong(AvPacket::pts))
                .map(AvPacket::duration)
                .orElse(0L);
    }

    /// Lets `into` share packet `index`.
    public void get(int index, Packet into) {
        AvPacket.unref(into.nativePacket());
        AvPacket.ref(into.nativePacket(), open().get(index));
    }

    /// Other packets that share the payloads; the caller owns them.
    public Packets copy() {
        Packets copy = new Packets(stream, window);
        for (MemorySegment packet : open()) {
            MemorySegment own = AvPacket.alloc();
            copy.packets.add(own);
            AvPacket.ref(own, packet);
        }
        return copy;
    }

    /// Writes the packets and what a decoder must know, to be read by [#readFrom] with the same release of FFmpeg.
    /// They stay usable.
    public void writeTo(OutputStream stream) throws IOException {
        PacketBytes.write(this, stream);
    }

    /// Reads what [#writeTo] wrote; the caller owns the packets.
    ///
    /// @throws IOException if it cannot be read, or is damaged
    public static Packets readFrom(InputStream stream) throws IOException {
        return PacketBytes.read(stream);
    }

    /// The packets that [#writeTo] wrote to `received`, whose payloads stay where they lie; the caller owns them.
    /// They take the lease, and close it when the last packet, decoder or copy that refers to it is closed, or if
    /// it can't be read. Native code reads the payloads: memory that is mapped from a file must be one that nobody
    /// makes shorter, which would end the process.
    ///
    /// @throws IOException if it is damaged
    public static Packets over(Lease received) throws IOException {
        return PacketBytes.over(received);
    }

    @Override
    public void close() {
        if (ended.isEmpty()) {
            release("were closed").forEach(AvPacket::free);
        }
    }

    @Override
    public String toString() {
        return (ended.isEmpty() ? packets.size() + " packets of " : "packets of ") + stream;
    }
}
