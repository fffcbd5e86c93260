package org.jspdl.testkit.storage;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.jspdl.testkit.storage.Faults.Fate;

/// One connection and the requests on it. One thread.
final class Exchange {
    private static final int CHUNK = 64 << 10;

    private final ObjectServer server;
    private final Counters counters;
    private final Socket socket;

    /// The body ended early on purpose: the connection is of no more use.
    private static final class Broken extends IOException {
        private static final long serialVersionUID = 1L;
    }

    Exchange(ObjectServer server, Counters counters, Socket socket) {
        this.server = server;
        this.counters = counters;
        this.socket = socket;
    }

    void run() throws IOException, InterruptedException {
        BufferedInputStream in = new BufferedInputStream(socket.getInputStream(), 1_024);
        OutputStream out = socket.getOutputStream();
        for (Optional<RequestHead> head = RequestHead.read(in); head.isPresent(); head = RequestHead.read(in)) {
            counters.arrived();
            try {
                answer(head.get(), out);
            } finally {
                counters.left();
            }
        }
    }

    private void answer(RequestHead head, OutputStream out) throws IOException, InterruptedException {
        long key = head.path().hashCode() * 1_000_003L + head.header("range").hashCode();
        int attempt = server.attempt(key);
        Faults faults = server.faults();
        Duration pause = faults.pause(key, attempt);
        if (!pause.equals(faults.latency())) {
            server.askAgain(key); // who asks again meanwhile has new luck
        }
        pause(pause);
        Fate fate = faults.fate(key, attempt);
        if (fate != Fate.SERVED) {
            server.failedOnPurpose(key);
        }
        Optional<String> refusal = server.credentials().flatMap(known -> refusal(head, known));
        if (refusal.isPresent()) {
            error(out, head, "403 Forbidden", refusal.get(), "");
        } else if (fate == Fate.UNAVAILABLE) {
            long seconds = faults.retryAfter().toSeconds();
            error(out, head, "503 Slow Down", "SlowDown", seconds > 0 ? "Retry-After: " + seconds + "\r\n" : "");
        } else if (head.query().containsKey("list-type")) {
            String bucket = head.path().replace("/", "");
            send(out, "200 OK", "Content-Type: application/xml\r\n", S3Listing.of(server, bucket, head.query()));
        } else {
            Optional<ObjectContent> content = server.find(head.path());
            if (content.isPresent()) {
                object(out, head, content.get(), fate);
            } else {
                error(out, head, "404 Not Found", "NoSuchKey", "");
            }
        }
    }

    private static Optional<String> refusal(RequestHead head, ObjectServer.Credentials known) {
        if (!head.header("authorization").contains("Credential=" + known.accessKey() + "/")) {
            return Optional.of("AccessDenied");
        }
        return head.header("x-amz-security-token").equals(known.expiredToken())
                ? Optional.of("ExpiredToken")
                : Optional.empty();
    }

    private static void error(OutputStream out, RequestHead head, String status, String code, String headers)
            throws IOException {
        String body = "<Error><Code>" + code + "</Code><Message>told by the server</Message></Error>";
        send(out, status, headers, head.method().equals("HEAD") ? "" : body);
    }

    private static void send(OutputStream out, String status, String headers, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        String head = "HTTP/1.1 " + status + "\r\n" + headers + "Content-Length: " + bytes.length + "\r\n\r\n";
        out.write(join(head, bytes, bytes.length));
    }

    private void object(OutputStream out, RequestHead head, ObjectContent content, Fate fate)
            throws IOException, InterruptedException {
        String wanted = head.header("if-match");
        Optional<long[]> range = server.ignoresRanges() ? Optional.empty() : head.range(content.size());
        if (!wanted.isEmpty() && !wanted.equals(content.tag())) {
            error(out, head, "412 Precondition Failed", "PreconditionFailed", "");
            return;
        }
        if (range.isPresent() && range.get()[0] >= content.size()) {
            error(out, head, "416 Range Not Satisfiable", "InvalidRange", "");
            return;
        }
        long first = range.map(ends -> ends[0]).orElse(0L);
        long length = range.map(ends -> ends[1] - ends[0] + 1).orElse(content.size());
        if (fate == Fate.WRONG_RANGE && range.isPresent()) {
            first = first > 0 ? first - 1 : first;
            length = Math.max(1, length - 1);
        }
        StringBuilder headers = new StringBuilder(200)
                .append(range.isPresent() ? "HTTP/1.1 206 Partial Content\r\n" : "HTTP/1.1 200 OK\r\n")
                .append("Accept-Ranges: bytes\r\nETag: ")
                .append(content.tag())
                .append("\r\nContent-Length: ")
                .append(length)
                .append("\r\n");
        if (range.isPresent()) {
            long last = first + length - 1;
            headers.append("Content-Range: bytes " + first + "-" + last + "/" + content.size() + "\r\n");
        }
        body(out, headers.append("\r\n").toString(), content, head.method().equals("HEAD") ? 0 : length, first, fate);
    }

    private void body(OutputStream out, String headers, ObjectContent content, long length, long first, Fate fate)
            throws IOException, InterruptedException {
        boolean broken = fate == Fate.RESET || fate == Fate.TRUNCATED;
        long sent = broken ? length / 2 : length;
        int chunk = fate == Fate.SLOW ? Math.max(1, server.faults().slowBytesPerSecond() / 100) : CHUNK;
        String before = headers;
        for (long done = 0; done == 0 || done < sent; ) {
            byte[] piece = new byte[(int) Math.min(chunk, sent - done)];
            content.copy(first + done, piece);
            counters.bytes.add(piece.length); // first, so that whoever has them finds them counted
            out.write(join(before, piece, piece.length));
            before = "";
            done += Math.max(1, piece.length);
            if (fate == Fate.SLOW) {
                pause(Duration.ofMillis(10));
            }
        }
        if (broken) {
            socket.setSoLinger(fate == Fate.RESET, 0);
            throw new Broken();
        }
        counters.served.increment();
    }

    /// Head and body together: one packet for small objects.
    private static byte[] join(String head, byte[] body, int length) {
        if (head.isEmpty()) {
            return body;
        }
        byte[] joined = new byte[head.length() + length];
        byte[] first = head.getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(first, 0, joined, 0, first.length);
        System.arraycopy(body, 0, joined, first.length, length);
        return joined;
    }

    private static void pause(Duration duration) throws InterruptedException {
        if (duration.isPositive()) {
            Thread.sleep(duration);
        }
    }
}
