package org.jspdl.media.internal.isolation;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.jspdl.media.internal.helper.Pieces;

/// Where things lie in the memory that a program shares with a helper of sound or video: a page of numbers and short
/// texts, the request, the source's bytes, and behind them what comes to be needed, each where the program says.
final class CallMemory {
    // what the helper says
    /// The caller puts bytes of the source at a position where the source's bytes go.
    static final int READ = 1;
    /// The caller says where as many bytes are free.
    static final int ROOM = 2;
    /// The caller says where a tensor of a type and shape goes.
    static final int TENSOR = 3;
    /// In the place of a position: it lies in the last room already.
    static final long IN_ROOM = 1;
    /// The caller answers bytes with bytes.
    static final int QUESTION = 4;
    static final int DONE = 5;
    static final int FAILED = 6;
    /// The caller makes a piece of as many bytes, or says where they are free.
    static final int PIECE = 7;
    /// As done, with a last tensor.
    static final int DONE_WITH_TENSOR = 8;

    // of what kind a failure is
    static final int OF_MEDIA = 1;
    static final int OF_ARGUMENT = 2;
    static final int OF_INDEX = 3;
    static final int OF_HELPER = 4;

    // how the source's bytes are read
    /// They are all there.
    static final int WHOLE = 1;
    /// From any position, and more than is needed.
    static final int LOCAL = 2;
    /// From any position, as many as are needed.
    static final int RANGES = 3;
    /// The next ones.
    static final int ONE_WAY = 4;

    /// The most bytes of what is asked or answered beside tensors.
    static final long MOST_PAYLOAD = 256L << 20;

    static final int MOST_RANK = 8;

    /// Where short texts and answers go, and how many bytes fit.
    static final long TEXT = 256;

    static final long TEXT_BYTES = 3840;
    static final long HEADER = TEXT + TEXT_BYTES;
    private static final int ALIGNMENT = 64;

    // written by the helper
    private static final long KIND = 0;
    private static final long TYPE = 4;
    private static final long LENGTH = 8;
    private static final long POSITION = 16;
    private static final long RANK = 24;
    private static final long EXTENTS = 32;
    // written by the caller
    private static final long REFUSED = 96;
    private static final long SOURCE_KIND = 100;
    private static final long ANSWER_AT = 104;
    private static final long ANSWER_BYTES = 112;
    private static final long REQUEST_AT = 120;
    private static final long REQUEST_BYTES = 128;
    private static final long SOURCE_AT = 136;
    private static final long SOURCE_ROOM = 144;
    private static final long SOURCE_BYTES = 152;
    private static final long SOURCE_BUFFER = 160;
    // written by the helper
    private static final long TENSOR_PIECE = 168;
    // written by the caller
    private static final long MADE_PIECE = 176;
    private static final long MADE_FILE = 184;
    private static final long MADE_BYTES = 192;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private CallMemory() {}

    static long roundUp(long bytes) {
        return Math.ceilDiv(bytes, ALIGNMENT) * ALIGNMENT;
    }

    /// How the bytes of a source reach a helper.
    ///
    /// @param kind   [#WHOLE] and the others
    /// @param at     where they are put
    /// @param room   how many at a time
    /// @param bytes  of the source, -1 if unknown
    /// @param buffer how many FFmpeg asks for at a time
    record Bytes(int kind, long at, long room, long bytes, int buffer) {}

    static void writeRequest(MemorySegment memory, long at, long length, Bytes source) {
        memory.set(LONG, REQUEST_AT, at);
        memory.set(LONG, REQUEST_BYTES, length);
        memory.set(INT, SOURCE_KIND, source.kind);
        memory.set(LONG, SOURCE_AT, source.at);
        memory.set(LONG, SOURCE_ROOM, source.room);
        memory.set(LONG, SOURCE_BYTES, source.bytes);
        memory.set(INT, SOURCE_BUFFER, source.buffer);
        memory.set(INT, KIND, 0);
    }

    static byte[] request(MemorySegment memory) {
        return bytes(memory, memory.get(LONG, REQUEST_AT), memory.get(LONG, REQUEST_BYTES));
    }

    static Bytes source(MemorySegment memory) {
        return new Bytes(
                memory.get(INT, SOURCE_KIND),
                memory.get(LONG, SOURCE_AT),
                memory.get(LONG, SOURCE_ROOM),
                memory.get(LONG, SOURCE_BYTES),
                memory.get(INT, SOURCE_BUFFER));
    }

    static byte[] bytes(MemorySegment memory, long at, long length) {
        return memory.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE);
    }

    static void say(MemorySegment memory, int kind, long position, long length) {
        memory.set(INT, KIND, kind);
        memory.set(LONG, POSITION, position);
        memory.set(LONG, LENGTH, length);
    }

    /// Speaks of a tensor.
    ///
    /// @param kind     [#TENSOR] or [#DONE_WITH_TENSOR]
    /// @param position [#IN_ROOM], or 0
    /// @param piece    the number of the piece that it is the beginning of, or 0
    static void sayTensor(MemorySegment memory, int kind, int type, long[] extents, long position, long piece) {
        say(memory, kind, position, 0);
        memory.set(LONG, TENSOR_PIECE, piece);
        memory.set(INT, TYPE, type);
        memory.set(INT, RANK, extents.length);
        for (int i = 0; i < extents.length; i++) {
            memory.set(LONG, EXTENTS + i * LONG.byteSize(), extents[i]);
        }
    }

    /// How many bytes there are beside a tensor.
    static void sayLength(MemorySegment memory, long length) {
        memory.set(LONG, LENGTH, length);
    }

    static int kind(MemorySegment memory) {
        return memory.get(INT, KIND);
    }

    static long position(MemorySegment memory) {
        return memory.get(LONG, POSITION);
    }

    static long length(MemorySegment memory) {
        return memory.get(LONG, LENGTH);
    }

    static int type(MemorySegment memory) {
        return memory.get(INT, TYPE);
    }

    static int rank(MemorySegment memory) {
        return memory.get(INT, RANK);
    }

    static long extent(MemorySegment memory, int dimension) {
        return memory.get(LONG, EXTENTS + dimension * LONG.byteSize());
    }

    static long piece(MemorySegment memory) {
        return memory.get(LONG, TENSOR_PIECE);
    }

    /// Answers with a piece that was made for it.
    static void answer(MemorySegment memory, Pieces.Piece made) {
        answer(memory, 0, made.memory().byteSize());
        memory.set(LONG, MADE_PIECE, made.number());
        memory.set(INT, MADE_FILE, made.descriptor());
        memory.set(LONG, MADE_BYTES, made.memory().byteSize());
    }

    /// The number of the piece that was made, 0 if there is none.
    static long madePiece(MemorySegment memory) {
        return memory.get(LONG, MADE_PIECE);
    }

    static int madeFile(MemorySegment memory) {
        return memory.get(INT, MADE_FILE);
    }

    static long madeBytes(MemorySegment memory) {
        return memory.get(LONG, MADE_BYTES);
    }

    static void answer(MemorySegment memory, long at, long length) {
        memory.set(INT, REFUSED, 0);
        memory.set(LONG, MADE_PIECE, 0);
        memory.set(LONG, ANSWER_AT, at);
        memory.set(LONG, ANSWER_BYTES, length);
    }

    static void refuse(MemorySegment memory, String why) {
        answer(memory, TEXT, writeText(memory, why));
        memory.set(INT, REFUSED, 1);
    }

    static boolean isRefused(MemorySegment memory) {
        return memory.get(INT, REFUSED) != 0;
    }

    static long answerAt(MemorySegment memory) {
        return memory.get(LONG, ANSWER_AT);
    }

    static long answerBytes(MemorySegment memory) {
        return memory.get(LONG, ANSWER_BYTES);
    }

    /// Writes as much of a text as fits; how many bytes that is.
    static long writeText(MemorySegment memory, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = (int) Math.min(bytes.length, TEXT_BYTES);
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, TEXT, length);
        return length;
    }

    static String text(MemorySegment memory, long length) {
        return new String(bytes(memory, TEXT, Math.clamp(length, 0, TEXT_BYTES)), StandardCharsets.UTF_8);
    }
}
