package org.jspdl.data.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspdl.data.cache.order.KeyHash;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class DiskCacheTest {
    private static final long BUDGET = 2 << 20;
    private static final int ENTRIES = 2_000;

    @TempDir
    Path folder;

    private List<Path> files(String below) throws IOException {
        try (Stream<Path> all = Files.walk(folder.resolve(below))) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    private long bytesOnDisk() throws IOException {
        long bytes = 0;
        for (Path file : files("entries")) {
            try {
                bytes += DiskCache.onDisk(Files.size(file));
            } catch (NoSuchFileException evicted) {
                // by another process, meanwhile
            }
        }
        return bytes;
    }

    @Test
    void entriesOutliveTheProcessAndBelongToAllWhoOpenTheFolder() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(CacheUser.size(5));
            CacheUser.fill(5, bytes);
            try (DiskCache first = DiskCache.open(folder, BUDGET);
                    DiskCache second = DiskCache.open(folder, BUDGET)) {
                first.offer("entry 5", bytes);
                second.offer("entry 5", bytes);

                assertThat(second.get("entry 5", bytes)).isTrue();
                assertThat(second.stats().bytes())
                        .isEqualTo(bytesOnDisk())
                        .isEqualTo(first.stats().bytes());
            }
            try (DiskCache later = DiskCache.open(folder, BUDGET)) {
                assertThat(later.get("entry 5", bytes.fill((byte) 0))).isTrue();
                assertThat(CacheUser.isRight(5, bytes)).isTrue();
                assertThat(later.stats().bytes()).isEqualTo(bytesOnDisk());
            }
            assertThat(files("members")).isEmpty();
        }
    }

    @Test
    void damagedEntriesAreThrownAwayWhateverHappenedToThem() throws IOException {
        try (DiskCache cache = DiskCache.open(folder, BUDGET);
                Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(10_000);
            cache.offer("key", bytes);
            Path entry = files("entries").getFirst();
            byte[] sound = Files.readAllBytes(entry);
            SplittableRandom random = new SplittableRandom(4);
            for (int i = 0; i < 200; i++) {
                Files.write(entry, damaged(sound, random, i));
                assertThat(cache.get("key", bytes)).as("damage " + i).isFalse();
                cache.offer("key", bytes.fill((byte) 0));
                assertThat(cache.get("key", bytes)).isTrue();
            }
            assertThat(cache.stats().damaged()).isEqualTo(200);
        }
    }

    private static byte[] damaged(byte[] sound, SplittableRandom random, int kind) {
        byte[] damaged = sound.clone();
        switch (kind % 3) {
            case 0 -> damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
            case 1 -> damaged = java.util.Arrays.copyOf(damaged, random.nextInt(damaged.length));
            default -> damaged = java.util.Arrays.copyOf(damaged, damaged.length + 1 + random.nextInt(100));
        }
        return damaged;
    }

    @Test
    @Timeout(120)
    void severalProcessesShareOneBudget() throws Exception {
        List<Process> users = new ArrayList<>();
        for (int seed = 0; seed < 3; seed++) {
            users.add(start(CacheUser.command(folder, BUDGET, seed, 300, 4)));
        }
        for (Process user : users) {
            String output = new String(user.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            assertThat(user.waitFor()).as(output).isZero();
        }
        assertThat(bytesOnDisk()).isBetween(BUDGET * 9 / 10, BUDGET);
        try (DiskCache cache = DiskCache.open(folder, BUDGET)) {
            assertThat(cache.stats().bytes()).isEqualTo(bytesOnDisk());
        }
    }

    /// Any descriptor of a lock's file that a process closes takes all its locks on that file away.
    @Test
    @Timeout(120)
    void cachesOfOneProcessAreNotTakenForDeadByAnother() throws Exception {
        try (DiskCache first = DiskCache.open(folder, BUDGET);
                DiskCache second = DiskCache.open(folder, BUDGET)) {
            Process other = start(CacheUser.command(folder, BUDGET, 1, 10, 1));
            String output = new String(other.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            assertThat(other.waitFor()).as(output).isZero();

            assertThat(files("members")).hasSize(2);
            assertThat(first.stats().bytes())
                    .isEqualTo(bytesOnDisk())
                    .isEqualTo(second.stats().bytes());
        }
    }

    private static Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    /// Kills processes at random moments while they write. What they leave must be whole, and counted.
    @Test
    @Timeout(600)
    void killedProcessesLeaveNothingBroken() throws Exception {
        int kills = Boolean.getBoolean("campaign") ? 100 : 5;
        SplittableRandom random = new SplittableRandom(20);
        for (int i = 0; i < kills; i++) {
            long budget = BUDGET * (1 + i % 20);
            Process user = begun(budget, i);
            assertThat(user.waitFor(Duration.ofMillis(random.nextInt(1, 200)))).isFalse();
            user.destroyForcibly().waitFor();

            assertWhole(budget, "seed 20, kill " + i);
        }
        assertThat(files("entries")).isNotEmpty();
    }

    /// What nobody uses at the moment is counted, and every entry has the right bytes.
    private void assertWhole(long budget, String when) throws IOException {
        try (DiskCache cache = DiskCache.open(folder, budget);
                Arena arena = Arena.ofConfined()) {
            assertThat(cache.stats().bytes()).as(when).isEqualTo(bytesOnDisk());
            assertThat(files("members")).as(when).hasSize(1);
            for (int number = 0; number < ENTRIES; number++) {
                MemorySegment bytes = arena.allocate(CacheUser.size(number));
                assertThat(!cache.get("entry " + number, bytes) || CacheUser.isRight(number, bytes))
                        .as("%s, entry %d", when, number)
                        .isTrue();
            }
            assertThat(cache.stats().damaged()).as(when).isZero();
        }
    }

    /// Three processes fill a folder that they share; one after the other is killed, and another takes its place.
    /// None of the others may get wrong bytes, and the budget holds at every moment.
    @Test
    @Timeout(900)
    void theOthersGoOnWhenOneOfThemIsKilled(@TempDir Path folders) throws Exception {
        int rounds = Boolean.getBoolean("campaign") ? 50 : 1;
        SplittableRandom random = new SplittableRandom(21);
        long budget = 32 << 20;
        for (int round = 0; round < rounds; round++) {
            folder = folders.resolve("round " + round);
            List<Process> users = new ArrayList<>();
            try {
                for (int seed = 0; seed < 3; seed++) {
                    users.add(begun(budget, seed));
                }
                for (int kill = 0; kill < 4; kill++) {
                    String when = "seed 21, round " + round + ", kill " + kill;
                    int killed = random.nextInt(users.size());
                    assertThat(users.get(killed).waitFor(Duration.ofMillis(random.nextInt(1, 100))))
                            .as("%s: a process ended by itself, with wrong bytes if by 3", when)
                            .isFalse();
                    users.get(killed).destroyForcibly().waitFor();
                    assertThat(bytesOnDisk()).as(when).isBetween(1L, budget);
                    users.set(killed, begun(budget, 3 + kill));
                }
                assertThat(users).allMatch(Process::isAlive);
            } finally {
                for (Process user : users) {
                    user.destroyForcibly().waitFor();
                }
            }
            assertWhole(budget, "seed 21, after round " + round);
        }
    }

    private Process begun(long budget, long seed) throws IOException {
        Process user = start(CacheUser.command(folder, budget, seed, ENTRIES, 1_000_000));
        assertThat(user.inputReader().readLine()).isEqualTo("begun");
        return user;
    }

    /// The limit of a process on the size of its files fails writes as a full disk does.
    @Test
    @Timeout(120)
    void aDiskThatTakesNoMoreDoesNotStopTheReading() throws Exception {
        List<String> command = CacheUser.command(folder, 1L << 30, 1, 200, 2);
        command.addAll(0, List.of("sh", "-c", "ulimit -f 40; exec \"$@\"", "sh"));
        Process user = start(command);
        String output = new String(user.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);

        assertThat(user.waitFor()).as(output).isZero();
        assertThat(output).containsOnlyOnce("nothing can be added").doesNotContain("failed=0,");
        assertThat(files("members")).isEmpty();
        try (DiskCache cache = DiskCache.open(folder, 1L << 30)) {
            assertThat(cache.stats().bytes()).isEqualTo(bytesOnDisk()).isPositive();
        }
    }

    @Test
    void anEntryUnderTheNameOfAnotherIsNotTaken() throws IOException {
        try (DiskCache cache = DiskCache.open(folder, BUDGET);
                Arena arena = Arena.ofConfined()) {
            cache.offer("one", arena.allocate(100));
            Path one = files("entries").getFirst();
            Path two = folder.resolve("entries").resolve(KeyHash.of("two").substring(0, 2));
            Files.createDirectories(two);
            Files.write(two.resolve(KeyHash.of("two")), Files.readAllBytes(one), StandardOpenOption.CREATE);

            assertThat(cache.get("two", arena.allocate(100))).isFalse();
        }
    }
}
