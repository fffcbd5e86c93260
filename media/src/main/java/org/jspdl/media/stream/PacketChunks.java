package org.jspdl.media.stream;

import java.util.Optional;
import org.jspdl.input.MediaException;

/// The packets of one stream, a chunk at a time, so that a file of any length needs constant memory.
public final class PacketChunks {
    private final Demuxer demuxer;
    private final StreamInfo stream;
    private final long ticks;

    private PacketChunks(Demuxer demuxer, StreamInfo stream, long ticks) {
        this.demuxer = demuxer;
        this.stream = stream;
        this.ticks = ticks;
    }

    static PacketChunks ofDuration(Demuxer demuxer, StreamInfo stream, long ticks) {
        if (ticks < 1) {
            throw new IllegalArgumentException("a chunk must be at least 1 tick long but was " + ticks);
        }
        return new PacketChunks(demuxer, stream, ticks);
    }

    /// The next chunk, owned by the caller; empty at the end of the file.
    ///
    /// @throws MediaException if the file is damaged or cannot be read
    public Optional<Packets> next() {
        Packets chunk = new Packets(stream, TimeWindow.all());
        try (Packet packet = Packet.create()) {
            long first = Packet.NO_TIME;
            long length = 0;
            while (length < ticks && demuxer.read(packet)) {
                if (packet.stream() != stream.index()) {
                    continue;
                }
                long time = packet.dts() == Packet.NO_TIME ? packet.pts() : packet.dts();
                first = first == Packet.NO_TIME ? time : first;
                long told = time == Packet.NO_TIME ? length : time - first;
                // times go back where files were put together: each packet counts for something
                length = Math.max(length + 1, told + Math.max(1, packet.duration()));
                chunk.add(packet);
            }
        } catch (Throwable failure) {
            chunk.close();
            throw failure;
        }
        if (chunk.count() == 0) {
            chunk.close();
            return Optional.empty();
        }
        return Optional.of(chunk);
    }
}
