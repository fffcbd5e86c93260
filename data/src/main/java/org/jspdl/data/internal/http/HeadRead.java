package org.jspdl.data.internal.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspdl.data.internal.http.ObjectFacts.Facts;
import org.jspdl.data.storage.StorageException.Kind;

/// Asks for size and version of an object.
record HeadRead(Ask ask, ObjectFacts facts) implements RangeClient.Receiver<Facts> {
    private static final int SCRATCH = 2 << 10;

    @Override
    public ByteBuffer scratch() {
        return ByteBuffer.allocate(SCRATCH);
    }

    @Override
    public Facts receive(ResponseHead head, ResponseBody body) throws IOException {
        long length = head.contentLength().orElse(-1);
        if (length < 0) {
            throw Refusal.forGood(Kind.UNSUPPORTED, "the server does not say how large the object is");
        }
        return facts.learn(length, head.version());
    }
}
