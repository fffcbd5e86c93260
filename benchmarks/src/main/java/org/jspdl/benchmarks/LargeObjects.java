package org.jspdl.benchmarks;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.jspdl.testkit.storage.Faults;
import org.jspdl.testkit.storage.ObjectContent;
import org.jspdl.testkit.storage.ObjectServer;

/// Reads large objects side by side, each as a whole, again and again: contestants of the scenario `remote`, whose
/// items are megabytes. The server is a process of its own, which lists them as S3 does.
///
/// Arguments: `serve`, objects and their mebibytes, which prints the port and serves until it is killed; or a way, the
/// address, objects, their mebibytes and passes. Ways: `whole` reads each object by one request, `split` by requests of
/// 16 MiB at once, `jdk` by the JDK's HTTP client into arrays. The first pass is not measured.
public final class LargeObjects {
    private static final int MIB = 1 << 20;
    private static final int CHECKED_EVERY = 4_093;

    private final String url;
    private final int objects;
    private final int bytes;
    private final byte[] content;

    /// Reads one object, and checks it.
    @FunctionalInterface
    private interface Reader {
        void read(int number) throws Exception;
    }

    private LargeObjects(String url, int objects, int mebibytes) {
        this.url = url;
        this.objects = objects;
        this.bytes = mebibytes * MIB;
        this.content = content(bytes);
    }

    private static byte[] content(int bytes) {
        byte[] content = new byte[bytes];
        new Random(20).nextBytes(content);
        return content;
    }

    /// Serves, or reads in one way.
    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("serve")) {
            serve(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]) * MIB);
            return;
        }
        Events.versions();
        LargeObjects large =
                new LargeObjects(arguments[1], Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
        int passes = Integer.parseInt(arguments[4]);
        try (BufferPool pool = BufferPool.create("large", 2L * large.objects * large.bytes);
                Storage storage = Storage.open();
                HttpClient client = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .build()) {
            Reader reader = switch (arguments[0]) {
                case "whole" -> number -> large.whole(storage, number, pool);
                case "split" -> number -> large.split(storage, number, pool);
                case "jdk" -> number -> large.jdk(client, number);
                default -> throw new IllegalArgumentException("no such way: " + arguments[0]);
            };
            large.pass(reader);
            Events.firstBatch();
            Events.epoch(() -> {
                for (int pass = 0; pass < passes; pass++) {
                    large.pass(reader);
                }
                return (long) passes * large.objects * large.bytes / 1_000_000;
            });
        }
    }

    private static void serve(int objects, int bytes) throws IOException, InterruptedException {
        ObjectServer server = ObjectServer.start(Faults.none());
        ObjectContent content = ObjectContent.of(content(bytes));
        for (int i = 0; i < objects; i++) {
            server.put("/bucket/large/" + i, content);
        }
        IO.println(server.port());
        new CountDownLatch(1).await();
    }

    /// All objects once, side by side.
    private void pass(Reader reader) throws Exception {
        List<Future<?>> all = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < objects; i++) {
                int number = i;
                all.add(threads.submit(() -> {
                    reader.read(number);
                    return null;
                }));
            }
        }
        for (Future<?> one : all) {
            one.get();
        }
    }

    private String address(int number) {
        return url + "/bucket/large/" + number;
    }

    private void whole(Storage storage, int number, BufferPool pool) throws IOException {
        try (StoredObject object = storage.object(address(number));
                Lease read = object.readAll(pool, bytes)) {
            check(read.segment());
        }
    }

    private void split(Storage storage, int number, BufferPool pool) throws IOException {
        try (StoredObject object = storage.object(address(number));
                Lease read = object.read(0, bytes, pool)) {
            check(read.segment());
        }
    }

    private void jdk(HttpClient client, int number) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(address(number))).build();
        check(MemorySegment.ofArray(
                client.send(request, HttpResponse.BodyHandlers.ofByteArray()).body()));
    }

    private void check(MemorySegment read) {
        if (read.byteSize() != bytes) {
            throw new IllegalStateException("got " + read.byteSize() + " of " + bytes + " bytes");
        }
        for (int i = 0; i < bytes; i += CHECKED_EVERY) {
            if (read.get(ValueLayout.JAVA_BYTE, i) != content[i]) {
                throw new IllegalStateException("wrong byte at " + i);
            }
        }
    }
}
