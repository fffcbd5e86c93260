package org.jspdl.data.text;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.jspdl.data.storage.Location;
import org.jspdl.files.FreshFile;
import org.jspdl.memory.SegmentBuffers;

/// Writes a [TokenFile], document by document. Used by one thread.
///
/// The file appears under its name when the writer is closed by [#finish]; closing it before leaves nothing. Tokens
/// take 2 bytes each if the vocabulary has at most 65,536 of them, else 4; a document takes 8 more.
public final class TokenFileWriter implements AutoCloseable {
    private final Path file;
    private final Path fresh;
    private final int vocabularySize;
    private final int width;
    private final OutputStream out;
    private long[] ends = new long[1024];
    private int documents;
    private long tokens;
    private byte[] encoded = new byte[1 << 13];
    private boolean closed;

    private TokenFileWriter(Path file, Path fresh, int vocabularySize, OutputStream out) {
        this.file = file;
        this.fresh = fresh;
        this.vocabularySize = vocabularySize;
        this.width = vocabularySize <= 1 << 16 ? 2 : 4;
        this.out = out;
    }

    /// A writer of `file` for tokens below `vocabularySize`. The caller closes it.
    public static TokenFileWriter create(Path file, int vocabularySize) throws IOException {
        if (vocabularySize < 1) {
            throw new IllegalArgumentException("vocabularySize must be at least 1 but was " + vocabularySize);
        }
        Path fresh = FreshFile.beside(Location.requireLocal(file));
        OutputStream out = new BufferedOutputStream(Files.newOutputStream(fresh), 1 << 16);
        out.write(new byte[TokenFile.HEADER_BYTES]);
        return new TokenFileWriter(file, fresh, vocabularySize, out);
    }

    /// Adds a document.
    public void add(int[] document) throws IOException {
        int bytes = Math.multiplyExact(document.length, width);
        if (bytes > encoded.length) {
            encoded = new byte[Math.max(bytes, 2 * encoded.length)];
        }
        MemorySegment target = MemorySegment.ofArray(encoded);
        for (int i = 0; i < document.length; i++) {
            if (document[i] < 0 || document[i] >= vocabularySize) {
                throw new IllegalArgumentException("token " + i + " of document " + documents + " is " + document[i]
                        + ", outside the vocabulary of " + vocabularySize);
            }
            if (width == 2) {
                target.set(TokenFile.SHORT, 2L * i, (short) document[i]);
            } else {
                target.set(TokenFile.INT, 4L * i, document[i]);
            }
        }
        out.write(encoded, 0, bytes);
        tokens += document.length;
        if (documents == ends.length) {
            ends = Arrays.copyOf(ends, 2 * documents);
        }
        ends[documents++] = tokens;
    }

    /// Completes the file and puts it in its place.
    public void finish() throws IOException {
        try (out) {
            DataOutputStream data = new DataOutputStream(out);
            for (int i = 0; i < documents; i++) {
                data.writeLong(Long.reverseBytes(ends[i]));
            }
            data.flush();
        }
        try (Arena arena = Arena.ofConfined();
                FileChannel channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
            MemorySegment header = arena.allocate(TokenFile.HEADER_BYTES);
            header.set(TokenFile.LONG, 0, TokenFile.MAGIC);
            header.set(TokenFile.LONG, 8, width);
            header.set(TokenFile.LONG, 16, tokens);
            header.set(TokenFile.LONG, 24, documents);
            header.set(TokenFile.LONG, 32, TokenFile.HEADER_BYTES + tokens * width);
            SegmentBuffers.write(channel, 0, header);
            channel.force(false);
        }
        FreshFile.move(fresh, file);
        closed = true;
    }

    /// Gives up a file that was not finished; harmless after [#finish].
    @Override
    public void close() throws IOException {
        if (!closed) {
            closed = true;
            try (out) {
                Files.deleteIfExists(fresh);
            }
        }
    }
}
