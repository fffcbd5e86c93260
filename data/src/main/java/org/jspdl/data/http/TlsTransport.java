package org.jspdl.data.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.util.Optional;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspdl.data.storage.StorageException.Kind;

/// An encrypted connection to a host whose certificate names it. The JDK decrypts into an array, from which the bytes
/// are copied.
final class TlsTransport implements Transport {
    private static final int RECORD = 16 << 10;

    private final SSLSocket socket;
    private final Socket encrypted;

    private TlsTransport(SSLSocket socket, Socket encrypted) {
        this.socket = socket;
        this.encrypted = encrypted;
    }

    /// @throws UnexpectedResponseException if the host's certificate is not one that this machine trusts
    static TlsTransport connect(
            HttpAddress.Host host,
            Optional<ProxySettings.ProxyServer> proxy,
            InetSocketAddress address,
            Connecting connecting,
            SSLSocketFactory factory)
            throws IOException {
        Socket plain = connecting.watch(new Socket());
        try {
            plain.setTcpNoDelay(true);
            plain.connect(address, connecting.millisLeft());
            plain.setSoTimeout(connecting.millisLeft());
            if (proxy.isPresent()) {
                ProxyTunnel.open(plain, host, proxy.get());
            }
            SSLSocket socket = (SSLSocket) factory.createSocket(plain, host.name(), host.port(), true);
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            parameters.setApplicationProtocols(new String[] {"http/1.1"});
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            plain.setSoTimeout(0);
            return new TlsTransport(socket, plain);
        } catch (SSLHandshakeException | SSLPeerUnverifiedException untrusted) {
            plain.close();
            throw isAboutCertificate(untrusted)
                    ? UnexpectedResponseException.permanent(
                            Kind.DENIED,
                            "the certificate of " + host + " is not trusted (" + untrusted.getMessage()
                                    + "); if it should be, name a store that has its issuer with"
                                    + " -Djavax.net.ssl.trustStore")
                    : untrusted;
        } catch (Throwable failure) {
            plain.close();
            throw failure;
        }
    }

    private static boolean isAboutCertificate(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException || cause instanceof CertPathValidatorException) {
                return true;
            }
        }
        return failure instanceof SSLPeerUnverifiedException;
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
        byte[] clear = new byte[Math.min(RECORD, bytes.remaining())];
        while (bytes.hasRemaining()) {
            int count = Math.min(clear.length, bytes.remaining());
            bytes.get(clear, 0, count);
            socket.getOutputStream().write(clear, 0, count);
        }
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        if (target.hasArray()) {
            int count = socket.getInputStream()
                    .read(target.array(), target.arrayOffset() + target.position(), target.remaining());
            target.position(target.position() + Math.max(0, count));
            return count;
        }
        byte[] clear = new byte[Math.min(RECORD, target.remaining())];
        int count = socket.getInputStream().read(clear);
        if (count > 0) {
            target.put(clear, 0, count);
        }
        return count;
    }

    /// An encrypted record counts, whatever is in it: nothing is expected between two exchanges.
    @Override
    public boolean hasUnread() throws IOException {
        return socket.getInputStream().available() > 0
                || encrypted.getInputStream().available() > 0;
    }

    /// Says no farewell, which could block: whoever closes it may be the thread that watches over all deadlines.
    @Override
    public void close() throws IOException {
        encrypted.close();
    }
}
