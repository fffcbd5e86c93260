package org.jspdl.media.internal.isolation;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Optional;
import org.jspdl.media.internal.helper.HelperServer;
import org.jspdl.media.internal.helper.MappedPieces;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Lease;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;

/// A request as the helper sees it. Used by one thread at a time.
public final class MediaRequest {
    /// The most bytes that [#room] gives.
    public static final long MOST_ROOM = CallMemory.MOST_PAYLOAD;

    private final HelperServer.Dialog dialog;
    private final DataInputStream details;
    private final MediaSource source;
    private int tensors;
    /// The number of the piece that is the last room, 0 if that is in the memory of the call.
    private long room;

    private MediaRequest(HelperServer.Dialog dialog, DataInputStream details, MediaSource source) {
        this.dialog = dialog;
        this.details = details;
        this.source = source;
    }

    static MediaRequest read(HelperServer.Dialog dialog) throws IOException {
        MemorySegment memory = dialog.memory();
        DataInputStream details = new DataInputStream(new ByteArrayInputStream(CallMemory.request(memory)));
        String name = SpecMessage.text(details);
        PieceMessage.read(details, dialog.pieces());
        return new MediaRequest(dialog, details, source(dialog, name));
    }

    private static MediaSource source(HelperServer.Dialog dialog, String name) {
        CallMemory.Bytes bytes = CallMemory.source(dialog.memory());
        return switch (bytes.kind()) {
            case CallMemory.WHOLE -> MediaSource.of(dialog.memory().asSlice(bytes.at(), bytes.bytes()), name);
            case CallMemory.LOCAL, CallMemory.RANGES -> MediaSource.of(new Ranges(dialog, bytes), name);
            default -> MediaSource.of(new OneWay(dialog, bytes), name);
        };
    }

    /// What the caller wrote.
    public DataInputStream details() {
        return details;
    }

    /// The source, whose bytes the caller reads.
    public MediaSource source() {
        return source;
    }

    /// A tensor over memory of the caller, who gets what is written to it.
    public Tensor tensor(ElementType type, Shape shape) {
        long byteSize = Tensor.byteSize(type, shape);
        Optional<MappedPieces.Room> free = dialog.pieces().take(byteSize);
        long piece = free.map(MappedPieces.Room::number).orElse(0L);
        CallMemory.sayTensor(dialog.memory(), CallMemory.TENSOR, type.ordinal(), shape.extents(), 0, piece);
        MemorySegment given = ask();
        tensors++;
        MemorySegment elements = free.isPresent() ? free.get().memory() : given;
        return Tensor.over(type, shape, Lease.adopt(elements.asSlice(0, byteSize), () -> {}));
    }

    /// Memory of the caller, to decode into what is of unknown size. Only the last one can become a tensor.
    ///
    /// @param byteSize at most [#MOST_ROOM]
    public Lease room(long byteSize) {
        Optional<MappedPieces.Room> free = dialog.pieces().take(byteSize);
        MemorySegment memory;
        if (free.isPresent()) {
            room = free.get().number();
            memory = free.get().memory();
        } else {
            CallMemory.say(dialog.memory(), CallMemory.PIECE, 0, byteSize);
            memory = ask();
            room = CallMemory.madePiece(dialog.memory());
        }
        return Lease.adopt(memory.asSlice(0, byteSize), () -> {});
    }

    /// The last word, and that a tensor lies at the beginning of the last [#room].
    public void done(byte[] word, ElementType type, Shape shape) {
        say(CallMemory.DONE_WITH_TENSOR, word);
        long position = room == 0 ? CallMemory.IN_ROOM : 0;
        CallMemory.sayTensor(
                dialog.memory(), CallMemory.DONE_WITH_TENSOR, type.ordinal(), shape.extents(), position, room);
        CallMemory.sayLength(dialog.memory(), word.length);
    }

    /// The number of the last tensor, counted from 0.
    public int lastTensor() {
        return tensors - 1;
    }

    /// What the caller answers.
    public DataInputStream ask(byte[] question) {
        say(CallMemory.QUESTION, question);
        return new DataInputStream(new ByteArrayInputStream(ask().toArray(ValueLayout.JAVA_BYTE)));
    }

    /// The last word.
    public void done(byte[] word) {
        say(CallMemory.DONE, word);
    }

    private void say(int kind, byte[] word) {
        long at = CallMemory.TEXT;
        if (word.length > CallMemory.TEXT_BYTES) {
            CallMemory.say(dialog.memory(), CallMemory.ROOM, 0, word.length);
            ask();
            at = CallMemory.answerAt(dialog.memory());
        }
        MemorySegment memory = dialog.memory();
        MemorySegment.copy(word, 0, memory, ValueLayout.JAVA_BYTE, at, word.length);
        CallMemory.say(memory, kind, 0, word.length);
    }

    /// The bytes that the caller answered with, or made room for.
    private MemorySegment ask() {
        dialog.ask();
        MemorySegment memory = dialog.memory();
        if (CallMemory.isRefused(memory)) {
            throw new IllegalStateException(CallMemory.text(memory, CallMemory.answerBytes(memory)));
        }
        long made = CallMemory.madePiece(memory);
        return made == 0
                ? memory.asSlice(CallMemory.answerAt(memory), CallMemory.answerBytes(memory))
                : dialog.pieces()
                        .open(made, CallMemory.madeFile(memory), CallMemory.madeBytes(memory))
                        .memory();
    }

    /// Has the caller read; how many bytes came.
    private static long read(HelperServer.Dialog dialog, long position, long length) throws IOException {
        CallMemory.say(dialog.memory(), CallMemory.READ, position, length);
        dialog.ask();
        MemorySegment memory = dialog.memory();
        if (CallMemory.isRefused(memory)) {
            throw new IOException(CallMemory.text(memory, CallMemory.answerBytes(memory)));
        }
        return CallMemory.answerBytes(memory);
    }

    private static final class Ranges implements MediaSource.RangeReader {
        private final HelperServer.Dialog dialog;
        private final CallMemory.Bytes bytes;
        /// What was read last.
        private long first;

        private long count;

        Ranges(HelperServer.Dialog dialog, CallMemory.Bytes bytes) {
            this.dialog = dialog;
            this.bytes = bytes;
        }

        @Override
        public long byteSize() {
            return bytes.bytes();
        }

        @Override
        public int read(long position, MemorySegment into) throws IOException {
            long wanted = Math.min(into.byteSize(), bytes.room());
            if (position < first || position >= first + count) {
                long asked =
                        bytes.kind() == CallMemory.LOCAL ? Math.min(bytes.room(), bytes.bytes() - position) : wanted;
                count = 0;
                long read = MediaRequest.read(dialog, position, asked);
                if (read <= 0) {
                    return (int) read;
                }
                first = position;
                count = read;
            }
            long from = position - first;
            int given = (int) Math.min(wanted, count - from);
            MemorySegment.copy(dialog.memory(), bytes.at() + from, into, 0, given);
            return given;
        }

        @Override
        public int chunkBytes() {
            return bytes.buffer();
        }
    }

    private static final class OneWay implements ReadableByteChannel {
        private final HelperServer.Dialog dialog;
        private final CallMemory.Bytes bytes;

        OneWay(HelperServer.Dialog dialog, CallMemory.Bytes bytes) {
            this.dialog = dialog;
            this.bytes = bytes;
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            long read = MediaRequest.read(dialog, -1, Math.min(into.remaining(), bytes.room()));
            if (read > 0) {
                into.put(dialog.memory().asSlice(bytes.at(), read).asByteBuffer());
            }
            return (int) read;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {
            // The caller's.
        }
    }
}
