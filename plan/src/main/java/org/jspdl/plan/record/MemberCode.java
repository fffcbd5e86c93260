package org.jspdl.plan.record;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspdl.pipeline.SourcePlace;
import org.jspdl.plan.record.RunMembers.Members;
import org.jspecify.annotations.Nullable;

/// Writes the members of step after step in few bytes, or reads them: each by how far it is from the place that comes
/// next in its source's order, which is near where time has but moved items past each other. Used by one thread.
///
/// A step begins with a number that says how many more members it has than the one before, whether its epoch is
/// another, which follows then, whether places are counted in steps of one rank's own, and whether the number of
/// sources is another, which follows, too. The source of a member is the rest of its number by that of the sources. All
/// numbers are of seven bits a byte, the lowest first.
final class MemberCode {
    private static final int OTHER_EPOCH = 1;
    private static final int OF_ANY_RANK = 2;
    private static final int OTHER_SOURCES = 4;
    private static final int FLAGS = 3;
    private static final int MOST_RANKS = 1_000_000;
    /// More than a plan has.
    private static final int MOST_SOURCES = 1 << 16;

    private final int rank;
    private final int worldSize;
    private final Map<Integer, Long> expected = new HashMap<>();
    private long epoch;
    private long count;
    private int sources = 1;

    MemberCode(int rank, int worldSize) {
        this.rank = rank;
        this.worldSize = worldSize;
    }

    /// What a block begins with: by whose places it counts.
    byte[] begin() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        number(bytes, rank);
        number(bytes, worldSize);
        return bytes.toByteArray();
    }

    /// The code of a block, of which the beginning is read.
    ///
    /// @throws EOFException if there is none
    /// @throws IllegalArgumentException if it is damaged
    static MemberCode begun(InputStream bytes) throws IOException {
        long rank = number(bytes);
        long worldSize = number(bytes);
        if (rank < 0 || rank >= worldSize || worldSize > MOST_RANKS) {
            throw new IllegalArgumentException("there is no rank " + rank + " of " + worldSize);
        }
        return new MemberCode((int) rank, (int) worldSize);
    }

    private long expected(int source) {
        return expected.getOrDefault(source, (long) rank);
    }

    /// The next step's bytes.
    ///
    /// @param members null if they are not known
    byte[] write(@Nullable Members members) {
        List<SourcePlace> places = members == null ? List.of() : members.places();
        long now = members == null ? epoch : members.epoch();
        int most = places.stream().mapToInt(SourcePlace::source).max().orElse(0) + 1;
        boolean other = now != epoch;
        boolean more = most > sources;
        boolean any = places.stream()
                .anyMatch(each -> each.place() % worldSize != rank || expected(each.source()) % worldSize != rank);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(2 * places.size() + 8);
        number(
                bytes,
                (signed(places.size() - count) << FLAGS)
                        | (more ? OTHER_SOURCES : 0)
                        | (any ? OF_ANY_RANK : 0)
                        | (other ? OTHER_EPOCH : 0));
        count = places.size();
        if (more) {
            sources = most;
            number(bytes, sources);
        }
        if (other) {
            epoch = now;
            expected.clear();
            number(bytes, epoch);
        }
        int step = any ? 1 : worldSize;
        for (SourcePlace each : places) {
            number(bytes, signed((each.place() - expected(each.source())) / step) * sources + each.source());
            expected.put(each.source(), each.place() + worldSize);
        }
        return bytes.toByteArray();
    }

    /// The members of the next step; empty if they are not known.
    ///
    /// @param most members that a step can have here
    /// @throws EOFException if there is none, or not as a whole
    /// @throws IllegalArgumentException if it is damaged
    Members read(InputStream bytes, long most) throws IOException {
        long head = number(bytes);
        count += unsigned(head >>> FLAGS);
        if (count < 0 || count > most) {
            throw new IllegalArgumentException("a step of " + count + " members can't be in " + most + " bytes");
        }
        if ((head & OTHER_SOURCES) != 0) {
            long all = number(bytes);
            if (all < 1 || all > MOST_SOURCES) {
                throw new IllegalArgumentException("there are no " + all + " sources");
            }
            sources = (int) all;
        }
        if ((head & OTHER_EPOCH) != 0) {
            epoch = number(bytes);
            expected.clear();
        }
        int step = (head & OF_ANY_RANK) != 0 ? 1 : worldSize;
        List<SourcePlace> places = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            long number = number(bytes);
            int source = (int) Long.remainderUnsigned(number, sources);
            long place = expected(source) + unsigned(Long.divideUnsigned(number, sources)) * step;
            if (place < 0) {
                throw new IllegalArgumentException("there is no place " + place);
            }
            places.add(new SourcePlace(source, place));
            expected.put(source, place + worldSize);
        }
        return new Members(epoch, places);
    }

    /// A number with its sign in the lowest bit.
    private static long signed(long number) {
        return (number << 1) ^ (number >> (Long.SIZE - 1));
    }

    private static long unsigned(long number) {
        return (number >>> 1) ^ -(number & 1);
    }

    private static void number(ByteArrayOutputStream bytes, long number) {
        long left = number;
        for (; (left & ~0x7FL) != 0; left >>>= 7) {
            bytes.write((int) ((left & 0x7F) | 0x80));
        }
        bytes.write((int) left);
    }

    private static long number(InputStream bytes) throws IOException {
        long number = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            int next = bytes.read();
            if (next < 0) {
                throw new EOFException("a step was cut off");
            }
            number |= (next & 0x7FL) << shift;
            if (next < 0x80) {
                return number;
            }
        }
        throw new IllegalArgumentException("a number has too many bytes");
    }
}
