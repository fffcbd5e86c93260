package org.jspdl.data.cache;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// A process that uses a disk cache: looks for entries in an order of its own, checks what it gets, adds the rest.
///
/// Arguments: folder, budget, seed, number of entries, rounds. Prints `begun` when it has used one entry, and its
/// statistics at the end; ends with 3 if it ever got wrong bytes.
final class CacheUser {
    private CacheUser() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        SplittableRandom random = new SplittableRandom(Long.parseLong(arguments[2]));
        int entries = Integer.parseInt(arguments[3]);
        try (DiskCache cache = DiskCache.open(folder, Long.parseLong(arguments[1]));
                Arena arena = Arena.ofConfined()) {
            MemorySegment room = arena.allocate(100_000);
            for (long i = 0; i < (long) entries * Integer.parseInt(arguments[4]); i++) {
                int number = random.nextInt(entries);
                MemorySegment target = room.asSlice(0, size(number));
                if (!cache.get("entry " + number, target)) {
                    fill(number, target);
                    cache.offer("entry " + number, target);
                } else if (!isRight(number, target)) {
                    System.exit(3);
                }
                if (i == 0) {
                    IO.println("begun");
                }
            }
            IO.println(cache.stats());
        }
    }

    static int size(int number) {
        return 1 + number * 7_919 % 60_000;
    }

    static void fill(int number, MemorySegment target) {
        target.fill((byte) number);
    }

    static boolean isRight(int number, MemorySegment bytes) {
        return bytes.mismatch(MemorySegment.ofArray(expected(number))) < 0;
    }

    private static byte[] expected(int number) {
        byte[] bytes = new byte[size(number)];
        java.util.Arrays.fill(bytes, (byte) number);
        return bytes;
    }

    /// The command that starts one.
    static List<String> command(Path folder, long budget, long seed, int entries, int rounds) {
        return new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-cp",
                System.getProperty("java.class.path"),
                CacheUser.class.getName(),
                folder.toString(),
                "" + budget,
                "" + seed,
                "" + entries,
                "" + rounds));
    }
}
