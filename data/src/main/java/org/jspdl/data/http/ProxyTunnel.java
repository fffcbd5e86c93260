package org.jspdl.data.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.jspdl.data.storage.StorageException.Kind;

/// The way through a proxy that an encrypted connection takes: the proxy passes bytes on and cannot read them.
final class ProxyTunnel {
    private static final int MOST_HEAD = 16 << 10;

    private ProxyTunnel() {}

    /// Asks the proxy at the other end of `socket` to pass on to `host`.
    ///
    /// @throws UnexpectedResponseException if it does not want to
    static void open(Socket socket, HttpAddress.Host host, ProxySettings.ProxyServer via) throws IOException {
        String target = host.name() + ":" + host.port();
        String request = "CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n"
                + via.credentials()
                        .map(value -> "Proxy-Authorization: " + value + "\r\n")
                        .orElse("")
                + "\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
        ResponseHead head = head(socket.getInputStream());
        if (head.status() == 407) {
            throw UnexpectedResponseException.permanent(
                    Kind.DENIED, via + " wants a user and password: https_proxy=http://user:password@...");
        }
        if (head.status() != 200) {
            throw UnexpectedResponseException.retryable(
                    via + " answered " + head.status() + " to a request for " + target);
        }
    }

    /// Reads byte by byte, because what follows the head belongs to somebody else.
    private static ResponseHead head(InputStream response) throws IOException {
        byte[] head = new byte[MOST_HEAD];
        int length = 0;
        while (length < head.length && !ends(head, length)) {
            int next = response.read();
            if (next < 0) {
                throw new java.io.EOFException("the proxy closed the connection before it answered");
            }
            head[length++] = (byte) next;
        }
        if (!ends(head, length)) {
            throw new IOException("the head of the proxy's response is larger than " + MOST_HEAD + " bytes");
        }
        return ResponseHead.parse(java.util.Arrays.copyOf(head, length));
    }

    private static boolean ends(byte[] head, int length) {
        return length >= 4
                && head[length - 1] == '\n'
                && head[length - 2] == '\r'
                && head[length - 3] == '\n'
                && head[length - 4] == '\r';
    }
}
