package org.jspdl.data.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspdl.data.storage.StorageException.Kind;

/// Asks for size and version of an object.
record MetadataRead(ObjectRequest request, MetadataTracker metadata) implements RangeClient.Receiver<ObjectMetadata> {
    private static final int SCRATCH = 2 << 10;

    @Override
    public ByteBuffer scratch() {
        return ByteBuffer.allocate(SCRATCH);
    }

    @Override
    public ObjectMetadata receive(ResponseHead head, ResponseBody body) throws IOException {
        long length = head.contentLength().orElse(-1);
        if (length < 0) {
            throw UnexpectedResponseException.permanent(
                    Kind.UNSUPPORTED,
                    "the server does not say how large the object is; such an object can only be read as a whole");
        }
        return metadata.learn(length, head.version());
    }
}
