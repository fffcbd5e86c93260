package org.jspdl.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LockedFileTest {
    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void make() throws IOException {
        file = folder.resolve("a.lock");
        LockedFile.make(file);
    }

    /// Another process, which tries to lock a file: ends with 0 if it could.
    public static final class Other {
        private Other() {}

        public static void main(String[] arguments) throws IOException {
            System.exit(LockedFile.tryLock(Path.of(arguments[0])).isPresent() ? 0 : 7);
        }
    }

    private boolean anotherProcessCanLock() throws Exception {
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Xshare:auto",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Other.class.getName(),
                        file.toString())
                .inheritIO()
                .start();
        int status = other.waitFor();
        assertThat(status).isIn(0, 7);
        return status == 0;
    }

    @Test
    void otherProcessesAreKeptOutAlthoughOthersOfThisOneHaveTried() throws Exception {
        Path alias = Files.createLink(folder.resolve("alias"), file);
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        try (LockedFile held = LockedFile.lock(file)) {
            assertThat(held.channel().size()).isZero();
            assertThat(LockedFile.tryLock(file)).isEmpty();
            assertThat(LockedFile.tryLock(alias)).isEmpty();
            assertThat(LockedFile.tryLock(link)).isEmpty();

            assertThat(anotherProcessCanLock()).isFalse();
        }
        assertThat(anotherProcessCanLock()).isTrue();
    }

    @Test
    void closingTwiceDoesNotUnlockForTheNext() throws Exception {
        LockedFile first = LockedFile.lock(file);
        first.close();
        try (LockedFile _ = LockedFile.lock(file)) {
            first.close();

            assertThat(LockedFile.tryLock(file)).isEmpty();
        }
    }

    @Test
    void threadsWaitForEachOther() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Thread[] threads = new Thread[8];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = Thread.ofVirtual().start(() -> {
                for (int round = 0; round < 50; round++) {
                    try (LockedFile _ = LockedFile.lock(file)) {
                        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                        inside.decrementAndGet();
                    } catch (IOException failure) {
                        most.set(1_000);
                    }
                }
            });
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(most).hasValue(1);
    }

    @Test
    void whoWaitsForAFileThatIsDeletedMeanwhileLocksTheNextOfItsName() throws Exception {
        CompletableFuture<Boolean> waited = new CompletableFuture<>();
        Thread waiting;
        try (LockedFile _ = LockedFile.lock(file)) {
            waiting = Thread.ofPlatform().start(() -> {
                try (LockedFile next = LockedFile.lock(file)) {
                    waited.complete(next.channel().size() == 0 && Files.exists(file));
                } catch (IOException failure) {
                    waited.completeExceptionally(failure);
                }
            });
            Files.delete(file);
        }
        assertThat(waited.get()).isTrue();
        waiting.join();
    }

    @Test
    void anInterruptEndsTheWait() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        try (LockedFile _ = LockedFile.lock(file)) {
            Thread waiting = Thread.ofPlatform().start(() -> {
                begun.countDown();
                try {
                    LockedFile.lock(file).close();
                    failure.complete(new IllegalStateException("it was locked twice"));
                } catch (IOException interrupted) {
                    failure.complete(interrupted);
                }
            });
            begun.await();
            waiting.interrupt();

            assertThat(failure.get()).isInstanceOf(InterruptedIOException.class);
            waiting.join();
        }
    }

    @Test
    void aFileThatIsNotThereIsNotMade() {
        Path none = folder.resolve("none");

        assertThatThrownBy(() -> LockedFile.tryLock(none)).isInstanceOf(java.nio.file.NoSuchFileException.class);
        assertThat(none).doesNotExist();
    }

    @Test
    void whatTheFileHoldsIsReadAndWrittenByItsChannel() throws Exception {
        Files.writeString(file, "abc");
        Optional<LockedFile> locked = LockedFile.tryLock(file);
        try (LockedFile held = locked.orElseThrow()) {
            assertThat(held.channel().size()).isEqualTo(3);
        }
    }
}
