package org.jspdl.data.internal.http;

import java.io.IOException;
import java.nio.ByteBuffer;

/// Reads an answer that is text, such as a listing.
final class TextRead implements RangeClient.Receiver<byte[]> {
    private static final int BUFFER = 16 << 10;

    private final Ask ask;

    TextRead(Ask ask) {
        this.ask = ask;
    }

    @Override
    public Ask ask() {
        return ask;
    }

    @Override
    public ByteBuffer scratch() {
        return ByteBuffer.allocate(BUFFER);
    }

    @Override
    public byte[] receive(ResponseHead head, ResponseBody body) throws IOException {
        return Body.whole(body);
    }
}
