package org.jspdl.data.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspdl.data.storage.StorageException.Kind;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalFileTest {
    @TempDir
    Path folder;

    private final byte[] content = new byte[300_000];

    private Path write(String name) throws IOException {
        new Random(7).nextBytes(content);
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.write(file, content);
    }

    private byte[] slice(int offset, int length) {
        return java.util.Arrays.copyOfRange(content, offset, offset + length);
    }

    private static byte[] bytes(Lease lease) {
        try (lease) {
            return lease.segment().toArray(ValueLayout.JAVA_BYTE);
        }
    }

    @Test
    void readsRangesAndTheWholeIntoLeases() throws IOException {
        Path file = write("a b#c%20.bin");

        try (Storage storage = Storage.open();
                BufferPool pool = BufferPool.create("test", 1 << 20);
                StoredObject object = storage.object(file.toString());
                StoredObject byUrl = storage.object("file://" + file)) {
            List<Lease> two = object.read(List.of(new ByteRange(5, 10), new ByteRange(299_999, 1)), pool);

            assertThat(object.size()).isEqualTo(300_000);
            assertThat(bytes(two.get(0))).isEqualTo(slice(5, 10));
            assertThat(bytes(two.get(1))).isEqualTo(slice(299_999, 1));
            assertThat(bytes(byUrl.readAll(pool, 1 << 20))).isEqualTo(content);
            assertThat(storage.stats().bytes()).isEqualTo(300_011);
            assertThat(storage.stats().reads()).isEqualTo(3);
        }
    }

    @Test
    void saysWhatIsWrong() throws IOException {
        Path file = write("x.bin");
        Path empty = Files.createFile(folder.resolve("empty"));

        try (Storage storage = Storage.open();
                BufferPool pool = BufferPool.create("test", 1 << 20);
                StoredObject object = storage.object(file.toString());
                StoredObject nothing = storage.object(empty.toString())) {
            assertFails(() -> storage.object(folder + "/none"), Kind.MISSING, "/none: there is no such file");
            Files.createSymbolicLink(folder.resolve("link"), Path.of("gone"));
            assertFails(
                    () -> storage.object(folder + "/link"),
                    Kind.MISSING,
                    "/link: it is a link to gone, which does not exist");
            assertFails(() -> storage.object(folder.toString()), Kind.UNSUPPORTED, "is a folder");
            assertFails(() -> storage.list(folder + "/none"), Kind.MISSING, "no such folder");
            assertFails(() -> storage.list(file.toString()), Kind.MISSING, "is no folder");
            assertFails(() -> storage.object("gopher://x/y"), Kind.UNSUPPORTED, "no storage for 'gopher://'");
            assertFails(() -> object.readAll(pool, 1000), Kind.RANGE, "300,000 bytes, more than the 1,000 allowed");
            assertFails(() -> nothing.readAll(pool, 1000), Kind.RANGE, "is empty");
            assertFails(
                    () -> object.read(299_999, 2, pool),
                    Kind.RANGE,
                    "cannot read 2 bytes at 299,999, it has 300,000 bytes");
            assertThat(pool.outstanding()).isZero();
        }
    }

    private static void assertFails(Callable<?> call, Kind kind, String text) {
        assertThatThrownBy(call::call)
                .isInstanceOfSatisfying(
                        StorageException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(kind))
                .hasMessageContaining(text);
    }

    @Test
    void listsFilesAtAnyDepthInTheOrderOfTheirNames() throws IOException {
        write("b/2.bin");
        write("b/1.bin");
        write("a/deep/er.bin");
        write("c.bin");

        try (Storage storage = Storage.open();
                Stream<ListedObject> plain = storage.list(folder.toString());
                Stream<ListedObject> url = storage.list("file://" + folder)) {
            assertThat(plain.map(each -> new ListedObject(each.location(), each.size())))
                    .containsExactly(
                            new ListedObject(Location.of(folder + "/a/deep/er.bin"), 300_000),
                            new ListedObject(Location.of(folder + "/b/1.bin"), 300_000),
                            new ListedObject(Location.of(folder + "/b/2.bin"), 300_000),
                            new ListedObject(Location.of(folder + "/c.bin"), 300_000));
            assertThat(url.map(each -> new ListedObject(each.location(), each.size()))
                            .findFirst())
                    .contains(new ListedObject(Location.of("file://" + folder + "/a/deep/er.bin"), 300_000));
        }
    }

    @Test
    void anInterruptedReadDisturbsNoOther() throws Exception {
        Path file = write("shared.bin");
        try (Storage storage = Storage.open();
                StoredObject object = storage.object(file.toString());
                Arena arena = Arena.ofShared();
                ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<Integer>> readers = IntStream.range(0, 3)
                    .mapToObj(reader -> threads.submit(() -> readMany(object, arena, 2_000)))
                    .toList();
            Future<Integer> interrupted = threads.submit(() -> readInterrupted(object, arena, 200));

            assertThat(interrupted.get()).isEqualTo(200);
            for (Future<Integer> reader : readers) {
                assertThat(reader.get()).isEqualTo(2_000);
            }
        }
    }

    private int readMany(StoredObject object, Arena arena, int times) throws IOException {
        MemorySegment target = arena.allocate(4_096);
        int right = 0;
        for (int i = 0; i < times; i++) {
            int offset = i * 131 % 290_000;
            object.read(offset, target);
            right += target.mismatch(MemorySegment.ofArray(slice(offset, 4_096))) < 0 ? 1 : 0;
        }
        return right;
    }

    private static int readInterrupted(StoredObject object, Arena arena, int times) {
        MemorySegment target = arena.allocate(100_000);
        int failed = 0;
        for (int i = 0; i < times; i++) {
            Thread.currentThread().interrupt();
            try {
                object.read(0, target);
            } catch (InterruptedIOException expected) {
                failed += Thread.interrupted() ? 1 : 0;
            } catch (IOException wrong) {
                throw new AssertionError(wrong);
            }
        }
        return failed;
    }

    @Test
    void aFileThatWasReplacedAfterAnInterruptionIsNoticed() throws Exception {
        Path file = write("replaced.bin");
        try (Storage storage = Storage.open();
                StoredObject object = storage.object(file.toString());
                Arena arena = Arena.ofConfined()) {
            MemorySegment target = arena.allocate(10);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> object.read(0, target)).isInstanceOf(InterruptedIOException.class);
            Thread.interrupted();
            Path other = write("other.bin");
            Files.setLastModifiedTime(other, FileTime.fromMillis(1_000));
            Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);

            assertThatThrownBy(() -> object.read(0, target))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            failure -> assertThat(failure.kind()).isEqualTo(Kind.CHANGED))
                    .hasMessageContaining("was replaced while it was read");
        }
    }

    @Test
    void aFileThatShrinksIsNoticed() throws Exception {
        Path file = write("shrinks.bin");
        try (Storage storage = Storage.open();
                StoredObject object = storage.object(file.toString());
                Arena arena = Arena.ofConfined()) {
            Files.write(file, new byte[1_000]);
            MemorySegment target = arena.allocate(2_000);

            assertThatThrownBy(() -> object.read(0, target))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("ended after 1,000 of 300,000 bytes");
        }
    }

    /// Whoever skips broken samples would lose one of a dataset that is written to: files are emptied before they
    /// are written anew.
    @Test
    void aFileThatCannotBeReadBecauseItChangedIsNoBrokenOne() throws Exception {
        Path emptied = write("emptied.bin");
        Path gone = write("gone.bin");
        long listed = ObjectVersion.hash(ObjectVersion.ofFile(emptied));
        Files.write(emptied, new byte[0]);
        Files.delete(gone);
        try (Storage storage = Storage.open();
                BufferPool pool = BufferPool.unbounded("files")) {
            for (Path file : List.of(emptied, gone)) {
                assertThatThrownBy(() -> ObjectVersion.readAll(storage, Location.of(file), pool, 1 << 20, listed))
                        .isInstanceOfSatisfying(
                                StorageException.class,
                                failure -> assertThat(failure.kind()).isEqualTo(Kind.CHANGED))
                        .hasMessageContaining("listed");
                // Of an unknown version it is broken, or missing.
                assertThatThrownBy(() ->
                                ObjectVersion.readAll(storage, Location.of(file), pool, 1 << 20, ObjectVersion.UNKNOWN))
                        .isInstanceOfSatisfying(
                                StorageException.class,
                                failure -> assertThat(failure.kind()).isNotEqualTo(Kind.CHANGED));
            }
        }
    }

    @Test
    void aListingTellsTheVersionsThatItsFilesHave() throws IOException {
        write("a/one.bin");
        write("two.bin");

        try (Storage storage = Storage.open();
                Stream<ListedObject> listed = storage.list(folder.toString())) {
            for (ListedObject each : listed.toList()) {
                try (StoredObject object = storage.object(each.location())) {
                    assertThat(each.version()).isEqualTo(object.version()).isNotEmpty();
                    ObjectVersion.require(object, ObjectVersion.hash(each.version()));
                }
            }
        }
    }
}
