package org.jspdl.media.internal.isolation;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspdl.files.MappedInput;
import org.jspdl.input.MediaException;
import org.jspdl.media.internal.container.SourceReads;
import org.jspdl.media.internal.helper.Helper;
import org.jspdl.media.internal.helper.HelperLostException;
import org.jspdl.media.internal.helper.Pieces;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.jspecify.annotations.Nullable;

/// The program's side of one call: sends the request, reads the source for the helper, says where things go, and checks
/// what comes back. Used once, by one thread.
final class MediaTalk<T> {
    /// Local sources up to this size are given to the helper as a whole.
    private static final long MOST_WHOLE = 8L << 20;
    /// How much of larger ones is read at once.
    private static final long WINDOW = 1L << 20;

    private final Helper helper;
    private final MediaSource source;
    private final SourceReads reads;
    private final MediaCall<T> call;
    private final List<Place> tensors = new ArrayList<>();
    private final Set<Long> filledPieces = new HashSet<>();
    private MemorySegment memory = MemorySegment.NULL;
    private CallMemory.Bytes bytes = new CallMemory.Bytes(0, 0, 0, 0, 0);
    private long end;
    private long roomAt;
    private long roomBytes;
    private boolean over;
    /// What reading the source failed with.
    private @Nullable Throwable unreadable;
    /// What the program itself failed with; the helper is told to stop.
    private @Nullable RuntimeException own;

    /// @param piece that it is the beginning of; null if it lies in the memory of the call
    private record Place(ElementType type, Shape shape, Pieces.@Nullable Piece piece, long at) {
        long byteSize() {
            return Tensor.byteSize(type, shape);
        }
    }

    private record Announced(ElementType type, Shape shape, long piece, boolean isInRoom) {}

    MediaTalk(Helper helper, MediaSource source, SourceReads reads, MediaCall<T> call) {
        this.helper = helper;
        this.source = source;
        this.reads = reads;
        this.call = call;
    }

    /// Whether the helper has said its last word, so that it can be called again.
    boolean isOver() {
        return over;
    }

    T run() throws HelperLostException {
        request();
        helper.call();
        int said = CallMemory.kind(memory);
        while (!isLast(said)) {
            answer(said);
            helper.goOn();
            said = CallMemory.kind(memory);
        }
        if (said == CallMemory.FAILED) {
            long text = CallMemory.length(memory);
            long kind = CallMemory.position(memory);
            over = kind != CallMemory.OF_HELPER;
            throw own == null ? failure(kind, CallMemory.text(memory, text)) : own;
        }
        byte[] last = payload();
        if (said == CallMemory.DONE_WITH_TENSOR) {
            tensors.add(filledPlace(announced()).orElseThrow(() -> senseless(null)));
        }
        over = true;
        if (own != null) {
            throw own;
        }
        try {
            return call.take(filled(), new DataInputStream(new ByteArrayInputStream(last)));
        } catch (IOException senseless) {
            over = false;
            throw senseless(senseless);
        }
    }

    private static boolean isLast(int kind) {
        return kind == CallMemory.DONE || kind == CallMemory.DONE_WITH_TENSOR || kind == CallMemory.FAILED;
    }

    private void request() {
        byte[] words = words();
        long at = CallMemory.HEADER;
        long sourceAt = CallMemory.roundUp(at + words.length);
        bytes = sourceBytes(sourceAt);
        end = CallMemory.roundUp(sourceAt + bytes.room());
        memory = helper.memory(end);
        MemorySegment.copy(words, 0, memory, ValueLayout.JAVA_BYTE, at, words.length);
        if (bytes.kind() == CallMemory.WHOLE) {
            bytes = readWhole(bytes);
        }
        CallMemory.writeRequest(memory, at, words.length, bytes);
    }

    private byte[] words() {
        ByteArrayOutputStream words = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(words)) {
            SpecMessage.write(source.name(), out);
            PieceMessage.write(helper.pieces().begin(), out);
            out.write(call.request());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return words.toByteArray();
    }

    private CallMemory.Bytes sourceBytes(long at) {
        long size = -1;
        try {
            size = reads.byteSize();
        } catch (IOException unknown) {
            // It is read as far as it goes.
        }
        int buffer = reads.bufferBytes();
        if (!reads.isSeekable()) {
            return new CallMemory.Bytes(CallMemory.ONE_WAY, at, buffer, -1, buffer);
        }
        if (!reads.isLocal()) {
            return new CallMemory.Bytes(CallMemory.RANGES, at, buffer, size, buffer);
        }
        boolean whole = size >= 0 && size <= MOST_WHOLE;
        return whole
                ? new CallMemory.Bytes(CallMemory.WHOLE, at, size, size, buffer)
                : new CallMemory.Bytes(CallMemory.LOCAL, at, WINDOW, size, buffer);
    }

    private CallMemory.Bytes readWhole(CallMemory.Bytes all) {
        try {
            long read = readFully(0, memory.asSlice(all.at(), all.room()));
            if (read < all.room()) {
                throw MappedInput.shortened(read, all.room());
            }
            return new CallMemory.Bytes(CallMemory.WHOLE, all.at(), read, read, all.buffer());
        } catch (IOException failure) {
            throw MediaException.of(source.name(), "cannot be read: " + failure.getMessage(), failure);
        }
    }

    private long readFully(long position, MemorySegment into) throws IOException {
        long done = 0;
        while (done < into.byteSize()) {
            int read = reads.read(position + done, into.asSlice(done));
            if (read <= 0) {
                break;
            }
            done += read;
        }
        return done;
    }

    private void answer(int asked) throws HelperLostException {
        long length = CallMemory.length(memory);
        switch (asked) {
            case CallMemory.READ -> read(CallMemory.position(memory), length);
            case CallMemory.ROOM -> room(length);
            case CallMemory.PIECE -> piece(length);
            case CallMemory.TENSOR -> tensor();
            case CallMemory.QUESTION -> question();
            default -> throw senseless(null);
        }
    }

    private void read(long position, long length) throws HelperLostException {
        check(length >= 0 && length <= bytes.room() && (position >= 0 || bytes.kind() == CallMemory.ONE_WAY));
        MemorySegment into = memory.asSlice(bytes.at(), length);
        try {
            long read = bytes.kind() == CallMemory.LOCAL ? readFully(position, into) : reads.read(position, into);
            CallMemory.answer(memory, bytes.at(), read);
        } catch (MediaException known) {
            own = known;
            CallMemory.refuse(memory, String.valueOf(known.getMessage()));
        } catch (IOException | RuntimeException failure) {
            unreadable = failure;
            CallMemory.refuse(memory, String.valueOf(failure.getMessage()));
        }
    }

    private void room(long length) throws HelperLostException {
        check(length >= 0 && length <= CallMemory.MOST_PAYLOAD);
        roomAt = allocate(length);
        roomBytes = length;
        CallMemory.answer(memory, roomAt, length);
    }

    private void piece(long length) throws HelperLostException {
        check(length >= 0 && length <= CallMemory.MOST_PAYLOAD);
        Optional<Pieces.Piece> made = helper.pieces().add(length);
        if (made.isPresent()) {
            CallMemory.answer(memory, made.get());
        } else {
            room(length);
        }
    }

    private void tensor() throws HelperLostException {
        Announced tensor = announced();
        Place place = filledPlace(tensor).orElse(null);
        if (place == null) {
            place = newPlace(tensor);
        } else {
            CallMemory.answer(memory, place.at, 0);
        }
        tensors.add(place);
    }

    /// What the helper says of a tensor, checked. All is read once: its memory may change at any time.
    private Announced announced() throws HelperLostException {
        int rank = CallMemory.rank(memory);
        int type = CallMemory.type(memory);
        ElementType[] types = ElementType.values();
        check(rank >= 0 && rank <= CallMemory.MOST_RANK && type >= 0 && type < types.length);
        long[] extents = new long[rank];
        for (int i = 0; i < rank; i++) {
            extents[i] = CallMemory.extent(memory, i);
            check(extents[i] >= 0);
        }
        try {
            Shape shape = Shape.of(extents);
            check(call.allows(types[type], shape, tensors.size()));
            boolean isInRoom = CallMemory.position(memory) == CallMemory.IN_ROOM;
            return new Announced(types[type], shape, CallMemory.piece(memory), isInRoom);
        } catch (ArithmeticException | IllegalArgumentException beyond) {
            throw senseless(beyond);
        }
    }

    /// Where the helper has written a tensor, or will; empty if that is for the program to say.
    private Optional<Place> filledPlace(Announced tensor) throws HelperLostException {
        long byteSize = Tensor.byteSize(tensor.type, tensor.shape);
        if (tensor.piece != 0) {
            Pieces.Piece piece = helper.pieces().of(tensor.piece).orElseThrow(() -> senseless(null));
            check(byteSize <= piece.memory().byteSize() && filledPieces.add(tensor.piece));
            return Optional.of(new Place(tensor.type, tensor.shape, piece, 0));
        }
        if (tensor.isInRoom) {
            check(byteSize <= roomBytes);
            return Optional.of(new Place(tensor.type, tensor.shape, null, roomAt));
        }
        return Optional.empty();
    }

    /// A place for a tensor, with which the helper is answered.
    private Place newPlace(Announced tensor) {
        long byteSize = Tensor.byteSize(tensor.type, tensor.shape);
        Pieces.Piece made = byteSize > CallMemory.MOST_PAYLOAD
                ? null
                : helper.pieces().add(byteSize).orElse(null);
        if (made == null) {
            long at = allocate(byteSize);
            CallMemory.answer(memory, at, byteSize);
            return new Place(tensor.type, tensor.shape, null, at);
        }
        filledPieces.add(made.number());
        CallMemory.answer(memory, made);
        return new Place(tensor.type, tensor.shape, made, 0);
    }

    private void question() throws HelperLostException {
        byte[] question = payload();
        byte[] answer;
        try {
            answer = call.answer(new DataInputStream(new ByteArrayInputStream(question)));
        } catch (IOException senseless) {
            throw senseless(senseless);
        } catch (RuntimeException failure) {
            own = failure;
            CallMemory.refuse(memory, "the caller failed");
            return;
        }
        long at = answer.length <= CallMemory.TEXT_BYTES ? CallMemory.TEXT : allocate(answer.length);
        MemorySegment.copy(answer, 0, memory, ValueLayout.JAVA_BYTE, at, answer.length);
        CallMemory.answer(memory, at, answer.length);
    }

    /// What the helper wrote beside a question or in the end.
    private byte[] payload() throws HelperLostException {
        long length = CallMemory.length(memory);
        check(length >= 0 && (length <= CallMemory.TEXT_BYTES || length == roomBytes));
        return CallMemory.bytes(memory, length <= CallMemory.TEXT_BYTES ? CallMemory.TEXT : roomAt, length);
    }

    private long allocate(long length) {
        long at = end;
        end = CallMemory.roundUp(end + length);
        memory = helper.grow(end);
        return at;
    }

    private List<Filled> filled() {
        List<Filled> filled = new ArrayList<>(tensors.size());
        for (Place place : tensors) {
            filled.add(filled(place));
        }
        return filled;
    }

    private Filled filled(Place place) {
        Pieces.Piece piece = place.piece;
        return piece == null
                ? new Filled(place.type, place.shape, memory.asSlice(place.at, place.byteSize()), Optional::empty)
                : new Filled(
                        place.type,
                        place.shape,
                        piece.memory().asSlice(0, place.byteSize()),
                        () -> helper.pieces().keep(piece, place.byteSize()));
    }

    private RuntimeException failure(long kind, String text) {
        if (kind == CallMemory.OF_MEDIA) {
            Throwable cause = unreadable;
            return cause == null ? source.failure(text) : MediaException.of(source.name(), text, cause);
        }
        if (kind == CallMemory.OF_ARGUMENT) {
            return new IllegalArgumentException(text);
        }
        if (kind == CallMemory.OF_INDEX) {
            return new IndexOutOfBoundsException(text);
        }
        return new IllegalStateException("in the process that decodes " + source.name() + ": " + text);
    }

    private static void check(boolean sensible) throws HelperLostException {
        if (!sensible) {
            throw senseless(null);
        }
    }

    private static HelperLostException senseless(@Nullable Throwable cause) {
        HelperLostException lost = new HelperLostException("gave an answer that makes no sense", false);
        if (cause != null) {
            lost.initCause(cause);
        }
        return lost;
    }
}
