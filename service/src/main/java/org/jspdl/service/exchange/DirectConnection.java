package org.jspdl.service.exchange;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/// A connection to a worker without TLS, and the one request that is on it. A body is read straight into the memory
/// that it is for, and its checksum is taken of each part while that is in the processor's cache. One thread at a time,
/// meant for virtual ones; [#close] may come from others.
final class DirectConnection implements Closeable {
    private static final int MOST_HEAD = 16 << 10;
    /// Bytes that are read at once: more would leave the cache before they are summed up.
    private static final int PART = 256 << 10;

    private final SocketChannel channel;
    /// What was read and not yet taken.
    private final ByteBuffer rest = ByteBuffer.allocate(MOST_HEAD).limit(0);
    private boolean used;
    private boolean answered;

    DirectConnection() throws IOException {
        channel = SocketChannel.open();
    }

    void connect(InetSocketAddress address) throws IOException {
        if (address.isUnresolved()) {
            throw new UnknownHostException("unknown host " + address.getHostString());
        }
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.connect(address);
    }

    boolean isConnected() {
        return channel.isConnected();
    }

    /// Whether it may have gone stale: it was of use before, and nothing has come since the last request was sent.
    boolean mayBeStale() {
        return used && !answered;
    }

    /// Sends a request without a body.
    void send(String head) throws IOException {
        answered = false;
        ByteBuffer bytes = ByteBuffer.wrap(head.getBytes(StandardCharsets.ISO_8859_1));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /// The head of the answer.
    AnswerHead head() throws IOException {
        rest.compact();
        int end = endOfHead(0);
        while (end < 0) {
            if (!rest.hasRemaining()) {
                throw new IOException("the head of its answer is longer than " + MOST_HEAD + " bytes");
            }
            int searched = Math.max(0, rest.position() - 3);
            boolean ended = channel.read(rest) < 0;
            answered |= rest.position() > 0;
            String begun = beginning();
            if (!AnswerHead.mayBegin(begun)) {
                throw AnswerHead.noAnswer(begun);
            }
            if (ended) {
                throw new EOFException(
                        answered ? "it hung up within the head of its answer" : "it hung up before it answered");
            }
            end = endOfHead(searched);
        }
        byte[] head = new byte[end];
        rest.flip().get(head);
        used = true;
        return AnswerHead.parse(new String(head, StandardCharsets.ISO_8859_1));
    }

    private String beginning() {
        return new String(rest.array(), 0, Math.min(rest.position(), 64), StandardCharsets.ISO_8859_1);
    }

    /// Where the bytes behind the empty line begin; -1 if it has not come.
    private int endOfHead(int from) {
        for (int i = Math.max(1, from); i < rest.position(); i++) {
            if (rest.get(i) == '\n'
                    && (rest.get(i - 1) == '\n' || (i > 1 && rest.get(i - 1) == '\r' && rest.get(i - 2) == '\n'))) {
                return i + 1;
            }
        }
        return -1;
    }

    /// Reads a body that fills `target`, and takes its checksum.
    void body(MemorySegment target, CRC32C sum) throws IOException {
        long length = target.byteSize();
        long at = Math.min(length, rest.remaining());
        if (at > 0) {
            ByteBuffer begun = rest.slice(rest.position(), (int) at);
            rest.position(rest.position() + (int) at);
            target.asSlice(0, at).copyFrom(MemorySegment.ofBuffer(begun));
            sum.update(begun);
        }
        while (at < length) {
            ByteBuffer room = target.asSlice(at, Math.min(PART, length - at)).asByteBuffer();
            int bytes = channel.read(room);
            if (bytes < 0) {
                throw new EOFException("it ended after " + at + " of " + length + " bytes");
            }
            sum.update(room.flip());
            at += bytes;
        }
    }

    /// Whether more came than was asked for: then it is of no more use.
    boolean hasRest() {
        return rest.hasRemaining();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
