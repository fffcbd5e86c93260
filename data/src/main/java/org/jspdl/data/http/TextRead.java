package org.jspdl.data.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

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
        byte[] text = TextBody.whole(body);
        String beginning = new String(text, 0, Math.min(text.length, 512), StandardCharsets.UTF_8);
        if (request.update().isPresent() && beginning.contains("<Error>")) {
            // S3 may find out that it cannot do it after it has said that it does
            throw UnexpectedResponseException.of(500, beginning, "", Duration.ZERO);
        }
        return new TextPage(text, head.header("etag"), head.header("link"));
    }
}
