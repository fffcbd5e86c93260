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

    /// Serves until there is nobody to serve.
    ///
    /// @param shared where the memory is, the first argument of the process
    public static void serve(Path shared, Handler handler) throws IOException {
        Kernel.becomeExpendable();
        haltWithParent();
        FileInputStream requests = new FileInputStream(FileDescriptor.in);
        FileOutputStream answers = new FileOutputStream(FileDescriptor.out);
        try (SharedMemory memory = SharedMemory.open(shared)) {
            answers.write(ANSWER);
            byte[] request = requests.readNBytes(Long.BYTES);
            while (request.length == Long.BYTES) {
                handler.handle(memory.atLeast(ByteBuffer.wrap(request).getLong()));
                answers.write(ANSWER);
                request = requests.readNBytes(Long.BYTES);
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
