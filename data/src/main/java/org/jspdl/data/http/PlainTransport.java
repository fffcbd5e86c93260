package org.jspdl.data.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/// A connection in the clear. What is read goes from the kernel to the target, if that is outside the heap.
record PlainTransport(SocketChannel channel) implements Transport {

    static PlainTransport connect(InetSocketAddress address, Connecting connecting) throws IOException {
        SocketChannel channel = connecting.watch(SocketChannel.open());
        try {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.socket().connect(address, connecting.millisLeft());
            return new PlainTransport(channel);
        } catch (Throwable failure) {
            channel.close();
            throw failure;
        }
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return channel.read(target);
    }

    @Override
    public boolean hasUnread() throws IOException {
        return channel.socket().getInputStream().available() > 0;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
