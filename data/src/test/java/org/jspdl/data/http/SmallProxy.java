package org.jspdl.data.http;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// A proxy for tests: it finds every host on this machine, passes `CONNECT` on as bytes, and forwards one absolute
/// request after the other.
final class SmallProxy implements Closeable {
    private final ServerSocket server;
    private final String credentials;
    private final ConcurrentLinkedQueue<String> requests = new ConcurrentLinkedQueue<>();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private SmallProxy(ServerSocket server, String credentials) {
        this.server = server;
        this.credentials = credentials;
    }

    /// @param credentials what it asks for; empty if it asks for nothing
    static SmallProxy start(String credentials) throws IOException {
        SmallProxy proxy = new SmallProxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), credentials);
        proxy.start(proxy::accept);
        return proxy;
    }

    /// What a thread of the proxy does until a connection ends.
    private interface Task {
        void run() throws IOException;
    }

    private void start(Task task) {
        threads.execute(() -> {
            try {
                task.run();
            } catch (IOException ended) {
                // a client or a server has gone, or the test is over
            }
        });
    }

    int port() {
        return server.getLocalPort();
    }

    /// The first line of every request.
    List<String> requests() {
        return new ArrayList<>(requests);
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = server.accept();
            sockets.add(client);
            start(() -> serve(client));
        }
    }

    private void serve(Socket client) throws IOException {
        try (client) {
            Socket target = null;
            for (String head = head(client.getInputStream()); !head.isEmpty(); head = head(client.getInputStream())) {
                String line = head.substring(0, head.indexOf("\r\n"));
                requests.add(line);
                if (!credentials.isEmpty() && !head.contains("Proxy-Authorization: " + credentials + "\r\n")) {
                    answer(client, "407 Proxy Authentication Required");
                    return;
                }
                String[] words = line.split(" ");
                boolean connects = words[0].equals("CONNECT");
                String authority = connects ? words[1] : words[1].split("/")[2];
                if (target == null) {
                    target = new Socket(
                            InetAddress.getLoopbackAddress(),
                            Integer.parseInt(authority.split(":")[1]));
                    sockets.add(target);
                    Socket opened = target;
                    if (connects) {
                        answer(client, "200 Connection established");
                    }
                    start(() -> pass(opened, client));
                }
                if (connects) {
                    pass(client, target);
                    return;
                }
                String path = words[1].substring(words[1].indexOf('/', "http://".length()));
                target.getOutputStream().write(head.replace(words[1], path).getBytes(StandardCharsets.ISO_8859_1));
            }
        }
    }

    private static void answer(Socket client, String status) throws IOException {
        client.getOutputStream()
                .write(("HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
    }

    private static void pass(Socket from, Socket to) throws IOException {
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            in.transferTo(out);
        }
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                return "";
            }
            head.append((char) next);
        }
        return head.toString();
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
        threads.close();
    }
}
