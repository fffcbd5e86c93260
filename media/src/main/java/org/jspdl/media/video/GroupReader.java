package org.jspdl.media.video;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspdl.media.stream.Demuxer;
import org.jspdl.media.stream.Packet;
import org.jspdl.media.stream.StreamInfo;

/// Reads the groups of pictures that wanted frames are in, and nothing else.
final class GroupReader {
    private final Demuxer demuxer;
    private final StreamInfo stream;
    private final FrameIndex index;
    private final Packet packet;
    /// The packet that [#packet] holds, or would be read next; -1 before the first.
    private int at = -1;
    private boolean held;

    /// The packets from the key frame `first` to `last`, in the order of decoding.
    record Group(int first, int last) {}

    GroupReader(Demuxer demuxer, StreamInfo stream, FrameIndex index, Packet packet) {
        this.demuxer = demuxer;
        this.stream = stream;
        this.index = index;
        this.packet = packet;
    }

    /// The groups of the frames at `indices`, in ascending order; each ends with the last packet that is needed.
    static List<Group> groups(FrameIndex index, int[] indices) {
        List<Group> groups = new ArrayList<>();
        int[] packets =
                IntStream.of(indices).map(index::packetOf).sorted().distinct().toArray();
        for (int wanted : packets) {
            int start = index.startOf(wanted);
            Group last = groups.isEmpty() ? null : groups.getLast();
            if (last != null && start <= last.last) {
                groups.set(groups.size() - 1, new Group(Math.min(start, last.first), Math.max(last.last, wanted)));
            } else {
                groups.add(new Group(start, wanted));
            }
        }
        return groups;
    }

    /// Goes to the first packet of a group.
    void seek(Group group) {
        if (held && at == group.first - 1) {
            return;
        }
        long target = index.pts(group.first);
        boolean found = demuxer.seekBefore(stream, target, packet);
        while (found && !isAt(group.first)) {
            found = isBefore(group.first) && demuxer.read(packet);
        }
        if (!found) {
            found = demuxer.rewind();
            do {
                found = found && demuxer.read(packet);
            } while (found && !isAt(group.first));
        }
        if (!found) {
            throw stream.failure("the file isn't the one that the frame index was made of");
        }
        at = group.first;
        held = false;
    }

    private boolean isAt(int number) {
        return packet.stream() == stream.index()
                && packet.pts() == index.pts(number)
                && packet.dts() == index.dts(number);
    }

    private boolean isBefore(int number) {
        return packet.dts() == Packet.NO_TIME
                || index.dts(number) == Packet.NO_TIME
                || packet.dts() < index.dts(number)
                || packet.stream() != stream.index();
    }

    /// Reads the next packet of the group; false after its last.
    boolean next(Group group) {
        if (!held && at == group.first) {
            held = true;
            return true;
        }
        if (at >= group.last) {
            return false;
        }
        do {
            if (!demuxer.read(packet)) {
                return false;
            }
        } while (packet.stream() != stream.index());
        at++;
        return true;
    }
}
