package org.jspdl.data.http;

import java.io.IOException;
import java.nio.ByteBuffer;

/// Asks for size and version of an object. That it is empty, or how large it is when it comes compressed, is not
/// believed: programs that answer `HEAD` without looking say so of every object. Then the size of the answer is not
/// positive.
record MetadataRead(ObjectRequest request, MetadataTracker metadata) implements RangeClient.Receiver<ObjectMetadata> {
    private static final int SCRATCH = 2 << 10;

    @Override
    public ByteBuffer scratch() {
        return ByteBuffer.allocate(SCRATCH);
    }

    @Override
    public ObjectMetadata receive(ResponseHead head, ResponseBody body) throws IOException {
        long length = head.contentLength().orElse(-1);
        return length > 0 && head.header("content-encoding").isEmpty()
                ? metadata.learn(length, head.version())
                : new ObjectMetadata(-1, head.version());
    }
}
