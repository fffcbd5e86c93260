package org.jspdl.data.text;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.jspdl.data.dataset.Dataset;
import org.jspdl.files.MappedInput;

/// The tokens of many documents, one behind the other, in a file: any sequence of them is found at once, so that packed
/// batches can be shuffled, dealt to ranks and resumed by arithmetic, without tokenizing again.
///
/// The file is mapped; where it becomes shorter, sequences are an [java.io.UncheckedIOException]. Safe for use by
/// several threads; closed by its owner after the last sequence. Written by [TokenFileWriter]; docs/how-to/text.md says
/// how.
public final class TokenFile implements AutoCloseable {
    static final long MAGIC = 0x4B4F544C4450534AL; // "JSPDLTOK" in the order of the file
    static final int HEADER_BYTES = 40;
    static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Path file;
    private final MappedInput mapped;
    private final MemorySegment bytes;
    private final long width;
    private final long tokens;
    private final long documents;
    private final long endsOffset;

    private TokenFile(Path file, MappedInput mapped) throws IOException {
        this.file = file;
        this.mapped = mapped;
        this.bytes = mapped.bytes();
        if (bytes.byteSize() < HEADER_BYTES || bytes.get(LONG, 0) != MAGIC) {
            throw new IOException(file + " is not a file of tokens, or its writing was broken off");
        }
        this.width = bytes.get(LONG, 8);
        this.tokens = bytes.get(LONG, 16);
        this.documents = bytes.get(LONG, 24);
        this.endsOffset = bytes.get(LONG, 32);
        long rest = bytes.byteSize() - HEADER_BYTES;
        if ((width != 2 && width != 4)
                || tokens < 0
                || tokens > rest / width
                || endsOffset != HEADER_BYTES + tokens * width
                || documents < 0
                || documents > (bytes.byteSize() - endsOffset) / Long.BYTES
                || bytes.byteSize() != endsOffset + documents * Long.BYTES
                || (documents == 0 ? 0 : end(documents - 1)) != tokens) {
            throw new IOException(file + " is damaged: its header says " + tokens + " tokens of " + width + " bytes in "
                    + documents + " documents, but it has " + bytes.byteSize() + " bytes");
        }
    }

    /// The tokens in `file`. The caller closes them.
    ///
    /// @throws IOException if it is no file of tokens, or damaged
    public static TokenFile open(Path file) throws IOException {
        MappedInput mapped = MappedInput.open(file);
        try {
            return mapped.read(() -> new TokenFile(file, mapped));
        } catch (Throwable failure) {
            mapped.close();
            throw failure;
        }
    }

    /// How many tokens there are.
    public long tokens() {
        return tokens;
    }

    /// How many documents they belong to.
    public long documents() {
        return documents;
    }

    /// Sequences of `length` tokens, one behind the other; what is left at the end of the file is not among them.
    public Dataset<TokenSequence> sequences(int length) {
        return sequences(length, length);
    }

    /// Sequences of `length` tokens that begin every `stride` tokens: `sequences(1025, 1024)` gives the inputs and
    /// the targets of a model with a context of 1024.
    public Dataset<TokenSequence> sequences(int length, int stride) {
        if (length < 1 || stride < 1) {
            throw new IllegalArgumentException(
                    "length and stride must be at least 1 but were " + length + " and " + stride);
        }
        long count = tokens < length ? 0 : (tokens - length) / stride + 1;
        return new Dataset<>() {
            @Override
            public long size() {
                return count;
            }

            @Override
            public TokenSequence get(long index) {
                if (index < 0 || index >= count) {
                    throw new IndexOutOfBoundsException("sequence " + index + " of " + count + " in " + file);
                }
                return mapped.read(() -> sequence(index * stride, length));
            }
        };
    }

    /// The documents, those above `longest` tokens cut into pieces.
    public TokenPieces pieces(int longest) {
        if (longest < 1) {
            throw new IllegalArgumentException("longest must be at least 1 but was " + longest);
        }
        return mapped.read(() -> TokenPieces.of(this, longest));
    }

    /// `length` tokens from number `first` on.
    int[] read(long first, int length) {
        return mapped.read(() -> {
            int[] read = new int[length];
            for (int i = 0; i < length; i++) {
                read[i] = token(first + i);
            }
            return read;
        });
    }

    private TokenSequence sequence(long first, int length) {
        int[] read = new int[length];
        int[] of = new int[length];
        int[] positions = new int[length];
        long document = documentOf(first);
        long end = end(document);
        int number = 1;
        int position = 0;
        for (int i = 0; i < length; i++) {
            while (first + i >= end) {
                end = end(++document);
                number = i == 0 ? 1 : number + (position == 0 ? 0 : 1);
                position = 0;
            }
            read[i] = token(first + i);
            of[i] = number;
            positions[i] = position++;
        }
        return new TokenSequence(read, of, positions);
    }

    private int token(long index) {
        long offset = HEADER_BYTES + index * width;
        return width == 2 ? bytes.get(SHORT, offset) & 0xFFFF : bytes.get(INT, offset);
    }

    /// The document that holds a token.
    private long documentOf(long token) {
        long low = 0;
        long high = documents - 1;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (end(middle) <= token) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /// The token behind a document; that behind the last document ends the file.
    long end(long document) {
        return document >= documents ? Long.MAX_VALUE : bytes.get(LONG, endsOffset + document * Long.BYTES);
    }

    @Override
    public void close() {
        mapped.close();
    }

    @Override
    public String toString() {
        return tokens + " tokens of " + documents + " documents in " + file;
    }
}
