package org.jspdl.service.exchange;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A server of HTTP/1.1 for requests without a body, that sends what lies in memory outside the heap from where it
/// lies. A virtual thread for each connection. Thread-safe.
///
/// What it reads is bounded: a head has 8 KiB, comes within 30 s of the answer before, and connections are no more than
/// 4,096. How long an answer may take is for the handler to say.
public final class DirectServer implements PieceListener {
    private static final System.Logger LOG = System.getLogger(DirectServer.class.getName());
    private static final int BACKLOG = 1_024;
    private static final int MOST_HEAD = 8 << 10;
    private static final int MOST_CONNECTIONS = 4_096;
    private static final long IDLE = Duration.ofSeconds(30).toNanos();
    /// Before another connection is accepted after one could not be.
    private static final long PAUSE = Duration.ofMillis(20).toNanos();
    /// Buffers that are handed to the system at once.
    private static final int AT_ONCE = 64;
    /// Bytes of one buffer, which has an int's worth.
    private static final long MOST_BUFFER = 1 << 30;

    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US);

    private final ServerSocketChannel listener;
    private final ExecutorService threads;
    private final TimeLimit limit;
    private final Asked.Handler handler;
    private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /// Listens at `address`, and answers nothing before [#start].
    ///
    /// @param threads virtual ones, which the caller ends after this is closed
    /// @param limit   of the caller
    public DirectServer(InetSocketAddress address, ExecutorService threads, TimeLimit limit, Asked.Handler handler)
            throws IOException {
        this.threads = threads;
        this.limit = limit;
        this.handler = handler;
        this.listener = ServerSocketChannel.open();
        try {
            listener.bind(address, BACKLOG);
        } catch (Throwable failure) {
            listener.close();
            throw failure;
        }
    }

    @Override
    public void start() {
        threads.execute(this::accept);
    }

    @Override
    public int port() {
        return listener.socket().getLocalPort();
    }

    private void accept() {
        while (!closed) {
            try {
                SocketChannel channel = listener.accept();
                open.add(channel);
                if (closed || open.size() > MOST_CONNECTIONS) {
                    end(channel);
                } else {
                    start(channel);
                }
            } catch (IOException failure) {
                if (!closed) {
                    // such as too many open files: others may be closed soon
                    LOG.log(System.Logger.Level.WARNING, "a connection could not be accepted", failure);
                    LockSupport.parkNanos(PAUSE);
                }
                if (!listener.isOpen()) {
                    return;
                }
            }
        }
    }

    private void start(SocketChannel channel) {
        try {
            threads.execute(() -> serve(channel));
        } catch (RejectedExecutionException ending) {
            end(channel);
        }
    }

    private void end(SocketChannel channel) {
        open.remove(channel);
        try {
            channel.close();
        } catch (IOException gone) {
            // nothing is left to do for it
        }
    }

    private void serve(SocketChannel channel) {
        try {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            ByteBuffer read = ByteBuffer.allocate(MOST_HEAD).limit(0);
            while (!closed) {
                @Nullable String head;
                try (TimeLimit.Watched _ = limit.begin(IDLE)) {
                    head = head(channel, read);
                }
                if (head == null || !answer(channel, head)) {
                    return;
                }
            }
        } catch (IOException gone) {
            LOG.log(System.Logger.Level.DEBUG, "a connection ended early", gone);
        } finally {
            end(channel);
        }
    }

    /// The next head; null if there is none.
    private static @Nullable String head(SocketChannel channel, ByteBuffer read) throws IOException {
        read.compact();
        int searched = 0;
        while (true) {
            int end = endOfHead(read, searched);
            if (end >= 0) {
                byte[] head = new byte[end];
                read.flip().get(head);
                return new String(head, StandardCharsets.ISO_8859_1);
            }
            if (!read.hasRemaining() || (read.position() > 0 && !isLetter(read.get(0)))) {
                return ""; // no request at all, such as a greeting of TLS: it is refused
            }
            searched = Math.max(0, read.position() - 3);
            if (channel.read(read) < 0) {
                return null;
            }
        }
    }

    private static boolean isLetter(byte first) {
        return first >= 'A' && first <= 'Z';
    }

    private static int endOfHead(ByteBuffer read, int from) {
        for (int i = Math.max(1, from); i < read.position(); i++) {
            boolean isEmpty = read.get(i - 1) == '\n' || (i > 1 && read.get(i - 1) == '\r' && read.get(i - 2) == '\n');
            if (read.get(i) == '\n' && isEmpty) {
                return i + 1;
            }
        }
        return -1;
    }

    /// @return whether another request may follow
    private boolean answer(SocketChannel channel, String head) throws IOException {
        RequestHead request;
        try {
            request = RequestHead.parse(head);
        } catch (IllegalArgumentException malformed) {
            Reply reply = new Reply(channel, new RequestHead("GET", "/", Optional.empty(), false));
            reply.header("Content-Type", "text/plain");
            reply.send(
                    400,
                    List.of(MemorySegment.ofArray((malformed.getMessage() + "\n").getBytes(StandardCharsets.UTF_8))));
            return false;
        }
        Reply reply = new Reply(channel, request);
        handler.answer(reply);
        return reply.sent && request.keeps();
    }

    private static final class Reply implements Asked {
        private final SocketChannel channel;
        private final RequestHead request;
        private final Map<String, String> headers = new LinkedHashMap<>();
        private boolean sent;

        Reply(SocketChannel channel, RequestHead request) {
            this.channel = channel;
            this.request = request;
        }

        @Override
        public String method() {
            return request.method();
        }

        @Override
        public String path() {
            return request.path();
        }

        @Override
        public Optional<String> authorization() {
            return request.authorization();
        }

        @Override
        public void header(String name, String value) {
            headers.put(name, value);
        }

        @Override
        public void send(int status, List<MemorySegment> parts) throws IOException {
            StringBuilder head = new StringBuilder(256);
            head.append("HTTP/1.1 ")
                    .append(status)
                    .append(status == 200 ? " OK" : " No")
                    .append("\r\n");
            head.append("Date: ")
                    .append(DATE.format(ZonedDateTime.now(ZoneOffset.UTC)))
                    .append("\r\n");
            headers.forEach((name, value) ->
                    head.append(name).append(": ").append(value).append("\r\n"));
            head.append("Content-Length: ")
                    .append(parts.stream().mapToLong(MemorySegment::byteSize).sum())
                    .append(request.keeps() ? "\r\n\r\n" : "\r\nConnection: close\r\n\r\n");
            List<ByteBuffer> buffers = new ArrayList<>(parts.size() + 1);
            buffers.add(ByteBuffer.wrap(head.toString().getBytes(StandardCharsets.ISO_8859_1)));
            if (!request.method().equals("HEAD")) {
                for (MemorySegment part : parts) {
                    for (long at = 0; at < part.byteSize(); at += MOST_BUFFER) {
                        buffers.add(part.asSlice(at, Math.min(MOST_BUFFER, part.byteSize() - at))
                                .asByteBuffer());
                    }
                }
            }
            write(buffers.toArray(ByteBuffer[]::new));
            sent = true;
        }

        private void write(ByteBuffer[] buffers) throws IOException {
            for (int first = 0; first < buffers.length; ) {
                if (buffers[first].hasRemaining()) {
                    channel.write(buffers, first, Math.min(AT_ONCE, buffers.length - first));
                } else {
                    first++;
                }
            }
        }
    }

    /// Ends all connections.
    @Override
    public void close() throws IOException {
        closed = true;
        listener.close();
        List.copyOf(open).forEach(this::end);
    }
}
