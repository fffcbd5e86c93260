package org.jspdl.plan.record;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspdl.plan.record.RunMembers.Members;
import org.jspecify.annotations.Nullable;

/// Writes the members of step after step in few bytes, or reads them: each by how far it is from the place that comes
/// next in the source's order, which is near where time has but moved items past each other. Used by one thread.
///
/// A step begins with a number that says how many more members it has than the one before, whether its epoch is
/// another, which follows then, and whether places are counted in steps of one rank's own. All numbers are of seven
/// bits a byte, the lowest first.
final class MemberCode {
    private static final int OTHER_EPOCH = 1;
    private static final int OF_ANY_RANK = 2;

    private final int rank;
    private final int worldSize;
    private long epoch;
    private long expected;
    private long count;

    MemberCode(int rank, int worldSize) {
        this.rank = rank;
        this.worldSize = worldSize;
        this.expected = rank;
    }

    /// The next step's bytes.
    ///
    /// @param members null if they are not known
    byte[] write(@Nullable Members members) {
        List<Long> places = members == null ? List.of() : members.places();
        long now = members == null ? epoch : members.epoch();
        boolean other = now != epoch;
        boolean any = expected % worldSize != rank || places.stream().anyMatch(place -> place % worldSize != rank);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(2 * places.size() + 8);
        number(bytes, (signed(places.size() - count) << 2) | (any ? OF_ANY_RANK : 0) | (other ? OTHER_EPOCH : 0));
        count = places.size();
        if (other) {
            epoch = now;
            expected = rank;
            number(bytes, epoch);
        }
        int step = any ? 1 : worldSize;
        for (long place : places) {
            number(bytes, signed((place - expected) / step));
            expected = place + worldSize;
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
        count += unsigned(head >>> 2);
        if (count < 0 || count > most) {
            throw new IllegalArgumentException("a step of " + count + " members can't be in " + most + " bytes");
        }
        if ((head & OTHER_EPOCH) != 0) {
            epoch = number(bytes);
            expected = rank;
        }
        int step = (head & OF_ANY_RANK) != 0 ? 1 : worldSize;
        List<Long> places = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            long place = expected + unsigned(number(bytes)) * step;
            if (place < 0) {
                throw new IllegalArgumentException("there is no place " + place);
            }
            places.add(place);
            expected = place + worldSize;
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
