package org.jspdl.media.internal.helper;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/// The helper's end: answers one request after the other until the process that it works for closes the pipe, or ends.
public final class HelperServer {
    static final byte ANSWER = 'a';

    private HelperServer() {}

    /// What a helper does.
    public interface Handler {
        /// Reads a request in `shared` and writes the answer there; throws nothing.
        void handle(MemorySegment shared);
    }

    /// What a helper does that asks its caller while it works.
    public interface Talker {
        /// Reads a request and writes the answer; throws nothing.
        void handle(Dialog dialog);
    }

    /// One request, and what is asked and answered for it.
    public interface Dialog {
        /// The memory, as large as the caller wants it now; what was given for this request stays valid.
        MemorySegment memory();

        /// The caller's memory that results may stay in.
        MappedPieces pieces();

        /// Gives the caller what was written as a question; returns when the answer was written.
        void ask();
    }

    /// Serves until there is nobody to serve.
    ///
    /// @param shared where the memory is, the first argument of the process
    public static void serve(Path shared, Handler handler) throws IOException {
        talk(shared, dialog -> handler.handle(dialog.memory()));
    }

    /// The same for a helper that asks.
    public static void talk(Path shared, Talker talker) throws IOException {
        Kernel.becomeExpendable();
        haltWithParent();
        FileInputStream requests = new FileInputStream(FileDescriptor.in);
        FileOutputStream answers = new FileOutputStream(FileDescriptor.out);
        try (SharedMemory memory = SharedMemory.open(shared)) {
            answers.write(ANSWER);
            MappedPieces pieces = new MappedPieces(shared);
            byte[] request = requests.readNBytes(Long.BYTES);
            while (request.length == Long.BYTES) {
                MemorySegment known = memory.atLeast(ByteBuffer.wrap(request).getLong());
                talker.handle(new Pipes(memory, known, pieces, requests, answers));
                answers.write(ANSWER);
                request = requests.readNBytes(Long.BYTES);
            }
        }
    }

    private static final class Pipes implements Dialog {
        private final SharedMemory shared;
        private final MappedPieces pieces;
        private final FileInputStream requests;
        private final FileOutputStream answers;
        private MemorySegment memory;

        Pipes(
                SharedMemory shared,
                MemorySegment memory,
                MappedPieces pieces,
                FileInputStream requests,
                FileOutputStream answers) {
            this.shared = shared;
            this.pieces = pieces;
            this.memory = memory;
            this.requests = requests;
            this.answers = answers;
        }

        @Override
        public MemorySegment memory() {
            return memory;
        }

        @Override
        public MappedPieces pieces() {
            return pieces;
        }

        @Override
        public void ask() {
            try {
                answers.write(ANSWER);
                byte[] answer = requests.readNBytes(Long.BYTES);
                if (answer.length < Long.BYTES) {
                    Runtime.getRuntime().halt(0);
                }
                memory = shared.grow(ByteBuffer.wrap(answer).getLong());
            } catch (IOException ended) {
                Runtime.getRuntime().halt(0);
            }
        }
    }

    /// A helper in an endless loop does not see that the pipe was closed.
    private static void haltWithParent() {
        ProcessHandle.current().parent().ifPresent(parent -> {
            var _ = parent.onExit().thenRun(() -> Runtime.getRuntime().halt(0));
        });
    }
}
