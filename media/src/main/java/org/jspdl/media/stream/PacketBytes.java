package org.jspdl.media.stream;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import org.jspdl.media.internal.ffmpeg.AvBuffer;
import org.jspdl.media.internal.ffmpeg.AvPacket;
import org.jspdl.media.internal.ffmpeg.AvParameters;
import org.jspdl.media.internal.ffmpeg.AvStream;
import org.jspdl.memory.Lease;

/// Packets as bytes, for another process with the same release of FFmpeg.
final class PacketBytes {
    private static final int MAGIC = 0x4A504B32;
    /// The release whose struct the codec's parameters are.
    private static final int FFMPEG = 8;

    private static final int MOST_PACKETS = 1 << 26;
    private static final int MOST_BYTES = 1 << 30;
    private static final int MOST_SIDE_DATA = 64;
    private static final byte[] PADDING = new byte[AvPacket.PADDING_BYTES];

    private PacketBytes() {}

    static void write(Packets packets, OutputStream stream) throws IOException {
        DataOutputStream out = new DataOutputStream(stream);
        StreamInfo info = packets.stream();
        out.writeInt(MAGIC);
        out.writeInt(FFMPEG);
        out.writeUTF(info.source());
        out.writeInt(info.index());
        writeRational(out, info.timeBase());
        writeBytes(out, info.parameters().fields());
        writeBytes(out, info.parameters().extraData());
        out.writeInt(info.rotation());
        out.writeBoolean(info.isMirrored());
        out.writeBoolean(packets.window().isAll());
        writeRational(out, packets.window().start());
        out.writeBoolean(packets.window().end().isPresent());
        writeRational(out, packets.window().end().orElse(Rational.ZERO));
        List<MemorySegment> all = packets.open();
        out.writeInt(all.size());
        for (MemorySegment packet : all) {
            out.writeLong(AvPacket.pts(packet));
            out.writeLong(AvPacket.dts(packet));
            out.writeLong(AvPacket.duration(packet));
            out.writeInt(AvPacket.flags(packet));
            writeBytes(out, AvPacket.data(packet).toArray(ValueLayout.JAVA_BYTE));
            out.write(PADDING);
            int pieces = AvPacket.sideDataCount(packet);
            out.writeInt(pieces);
            for (int i = 0; i < pieces; i++) {
                out.writeInt(AvPacket.sideDataType(packet, i));
                writeBytes(out, AvPacket.sideDataBytes(packet, i).toArray(ValueLayout.JAVA_BYTE));
            }
        }
        out.flush();
    }

    /// Reads the payload of a packet, and the padding behind it.
    private interface Payload {
        void read(int length, MemorySegment packet) throws IOException;
    }

    /// Copies the payloads.
    static Packets read(InputStream stream) throws IOException {
        DataInputStream in = new DataInputStream(stream);
        return read(in, (length, packet) -> {
            byte[] data = readBytes(in, length);
            in.skipNBytes(PADDING.length);
            MemorySegment.copy(
                    data, 0, AvPacket.allocateData(packet, data.length), ValueLayout.JAVA_BYTE, 0, data.length);
        });
    }

    /// Lets packets refer to `received`, which is closed when none does any more, or if it can't be read.
    static Packets over(Lease received) throws IOException {
        MemorySegment buffer = AvBuffer.of(received.segment(), received::close);
        try {
            SegmentInput bytes = new SegmentInput(received.segment());
            return read(new DataInputStream(bytes), (length, packet) -> {
                MemorySegment data = bytes.take(length);
                MemorySegment padding = bytes.take(PADDING.length);
                if (padding.mismatch(MemorySegment.ofArray(PADDING)) >= 0) {
                    throw new IOException("the packets are damaged: what follows a payload is not empty");
                }
                AvPacket.refer(packet, buffer, data);
            });
        } finally {
            AvBuffer.release(buffer);
        }
    }

    private static Packets read(DataInputStream in, Payload payload) throws IOException {
        if (in.readInt() != MAGIC) {
            throw new IOException("these are no packets");
        }
        int release = in.readInt();
        if (release != FFMPEG) {
            throw new IOException("these packets were written with FFmpeg " + release + ", this is " + FFMPEG);
        }
        Packets packets;
        try {
            packets = readHeader(in);
        } catch (IllegalArgumentException | ArithmeticException damaged) {
            throw new IOException("the packets are damaged: " + damaged.getMessage(), damaged);
        }
        try {
            int count = checked(in.readInt(), MOST_PACKETS);
            for (int i = 0; i < count; i++) {
                readPacket(in, payload, packets);
            }
            return packets;
        } catch (Throwable failure) {
            packets.close();
            throw failure;
        }
    }

    private static Packets readHeader(DataInputStream in) throws IOException {
        String source = in.readUTF();
        int index = in.readInt();
        Rational timeBase = readRational(in);
        AvParameters parameters = AvParameters.of(readBytes(in), readBytes(in));
        StreamInfo.Traits none = StreamInfo.Traits.NONE;
        StreamInfo.Traits traits = new StreamInfo.Traits(
                none.frameRate(),
                none.pixelAspect(),
                new AvStream.Display(in.readInt(), in.readBoolean()),
                none.disposition(),
                none.metadata());
        StreamInfo info = new StreamInfo(source, index, timeBase, parameters, StreamInfo.Times.UNKNOWN, traits);
        boolean isAll = in.readBoolean();
        Rational start = readRational(in);
        boolean hasEnd = in.readBoolean();
        Rational end = readRational(in);
        TimeWindow window =
                isAll ? TimeWindow.all() : new TimeWindow(start, hasEnd ? Optional.of(end) : Optional.empty());
        return new Packets(info, window);
    }

    private static void readPacket(DataInputStream in, Payload payload, Packets into) throws IOException {
        MemorySegment packet = AvPacket.alloc();
        into.addOwn(packet);
        long pts = in.readLong();
        long dts = in.readLong();
        long duration = in.readLong();
        int flags = in.readInt();
        payload.read(checked(in.readInt(), MOST_BYTES), packet);
        AvPacket.times(packet, pts, dts, duration);
        AvPacket.place(packet, into.stream().index(), flags);
        int pieces = checked(in.readInt(), MOST_SIDE_DATA);
        for (int i = 0; i < pieces; i++) {
            int type = in.readInt();
            AvPacket.addSideData(packet, type, readBytes(in));
        }
    }

    private static void writeRational(DataOutputStream out, Rational value) throws IOException {
        out.writeLong(value.numerator());
        out.writeLong(value.denominator());
    }

    private static Rational readRational(DataInputStream in) throws IOException {
        long numerator = in.readLong();
        long denominator = in.readLong();
        if (denominator == 0) {
            throw new IOException("the packets are damaged: " + numerator + "/0 is no number");
        }
        return Rational.of(numerator, denominator);
    }

    private static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /// Reads as many bytes as there are, whatever their number is said to be.
    private static byte[] readBytes(DataInputStream in) throws IOException {
        return readBytes(in, checked(in.readInt(), MOST_BYTES));
    }

    private static byte[] readBytes(DataInputStream in, int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new IOException("the packets end after " + bytes.length + " of " + length + " bytes");
        }
        return bytes;
    }

    private static int checked(int value, int most) throws IOException {
        if (value < 0 || value > most) {
            throw new IOException("the packets are damaged: " + value + " is not from 0 to " + most);
        }
        return value;
    }
}
