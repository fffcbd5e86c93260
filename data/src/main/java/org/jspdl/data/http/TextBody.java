package org.jspdl.data.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// Bodies that are text for us: errors and listings.
final class TextBody {
    private static final int MOST_BEGINNING = 4 << 10;
    private static final int MOST_TEXT = 16 << 20;

    private TextBody() {}

    /// The first bytes of the body, as far as they can be had; the connection is of no use afterwards.
    static String beginning(ResponseBody body) {
        ByteArrayOutputStream beginning = new ByteArrayOutputStream();
        try {
            for (int next = body.next(); next >= 0 && beginning.size() < MOST_BEGINNING; next = body.next()) {
                beginning.write(next);
            }
        } catch (IOException _) {
            // the status says enough
        }
        return beginning.toString(StandardCharsets.UTF_8);
    }

    /// The whole body.
    static byte[] whole(ResponseBody body) throws IOException {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        for (int next = body.next(); next >= 0; next = body.next()) {
            if (whole.size() == MOST_TEXT) {
                throw UnexpectedResponseException.retryable("the response has more than " + MOST_TEXT + " bytes");
            }
            whole.write(next);
        }
        return whole.toByteArray();
    }
}
