package org.jspdl.data.http;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;

/// Asks for the addresses of hosts, on threads of their own: the system's resolver takes its time, which no deadline
/// and no interrupt shortens, and keeps a carrier of virtual threads meanwhile. Thread-safe.
///
/// A name that is being asked for is not asked for again, so that a resolver that hangs costs one thread for each name.
final class NameLookups {
    private final Resolver resolver;
    private final ConcurrentMap<String, CompletableFuture<InetAddress>> underWay = new ConcurrentHashMap<>();

    /// Finds the address of a name; as slowly as it likes.
    interface Resolver {
        InetAddress address(String name) throws UnknownHostException;
    }

    NameLookups(Resolver resolver) {
        this.resolver = resolver;
    }

    static NameLookups ofSystem() {
        return new NameLookups(InetAddress::getByName);
    }

    /// The address of `name`, unless the attempt to connect ends before.
    InetAddress address(String name, Connecting attempt) throws IOException {
        CompletableFuture<InetAddress> answer = asked(name).copy();
        attempt.watch(() -> answer.cancel(false));
        try {
            return answer.get();
        } catch (CancellationException given) {
            throw new IOException("the address of " + name + " was not found in time", given);
        } catch (ExecutionException failure) {
            throw new UnknownHostException("unknown host " + name);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the read was interrupted");
        }
    }

    private CompletableFuture<InetAddress> asked(String name) {
        CompletableFuture<InetAddress> fresh = new CompletableFuture<>();
        CompletableFuture<InetAddress> known = underWay.putIfAbsent(name, fresh);
        if (known != null) {
            return known;
        }
        Thread.ofPlatform().daemon().name("jspdl-lookup").start(() -> find(name, fresh));
        return fresh;
    }

    private void find(String name, CompletableFuture<InetAddress> answer) {
        try {
            InetAddress found = resolver.address(name);
            underWay.remove(name, answer);
            answer.complete(found);
        } catch (Throwable failure) {
            underWay.remove(name, answer);
            answer.completeExceptionally(failure);
        }
    }
}
