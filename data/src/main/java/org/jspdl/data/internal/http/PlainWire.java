package org.jspdl.data.internal.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/// A connection in the clear. What is read goes from the kernel to the target, if that is outside the heap.
record PlainWire(SocketChannel channel) implements Wire {

    static PlainWire connect(String name, int port, Duration timeout) throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            InetSocketAddress address = new InetSocketAddress(name, port);
            if (address.isUnresolved()) {
                throw new java.net.UnknownHostException("unknown host " + name);
            }
            channel.socket().connect(address, (int) timeout.toMillis());
            return new PlainWire(channel);
        } catch (Throwable failure) {
            channel.close();
            throw failure;
        }
    }

    @Override
    public void write(byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return channel.read(target);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
