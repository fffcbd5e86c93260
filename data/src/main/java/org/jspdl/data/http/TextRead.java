package org.jspdl.data.http;

import java.io.IOException;
import java.nio.ByteBuffer;

/// Reads a response that is text, such as a listing.
final class TextRead implements RangeClient.Receiver<TextPage> {
    private static final int BUFFER = 16 << 10;

    private final ObjectRequest request;

    TextRead(ObjectRequest request) {
        this.request = request;
    }

    @Override
    public ObjectRequest request() {
        return request;
    }

    @Override
    public ByteBuffer scratch() {
        return ByteBuffer.allocate(BUFFER);
    }

    @Override
    public TextPage receive(ResponseHead head, ResponseBody body) throws IOException {
        return new TextPage(TextBody.whole(body), head.header("link"));
    }
}
