package org.jspdl.service;

import java.util.List;
import java.util.stream.LongStream;
import org.jspdl.data.image.ImageService;

/// Names a piece: what everybody who asks for it gets, whoever answers. Immutable.
///
/// @param fingerprint of all that decides what images become
/// @param places      which images
record PieceAddress(String fingerprint, ImageService.Places places) {
    static final String PREFIX = "/v1/pieces/";
    /// No address is longer, in characters.
    static final int LONGEST = 256;
    private static final int FINGERPRINT = 64;
    /// So that no sum of them overflows.
    private static final long MOST = 1L << 52;

    /// @throws IllegalArgumentException if there is no such place in any dataset
    PieceAddress {
        if (fingerprint.length() != FINGERPRINT || !fingerprint.chars().allMatch(PieceAddress::isHex)) {
            throw new IllegalArgumentException("a fingerprint has 64 hexadecimal digits");
        }
        inRange("epoch", places.epoch(), 0);
        inRange("from", places.from(), 0);
        inRange("stride", places.stride(), 1);
        inRange("count", places.count(), 1);
        inRange("last place", last(places), 0);
    }

    private static boolean isHex(int c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    }

    private static void inRange(String name, long value, long least) {
        if (value < least || value > MOST) {
            throw new IllegalArgumentException(name + " must be from " + least + " to 2^52 but was " + value);
        }
    }

    private static long last(ImageService.Places places) {
        return places.from() + (places.count() - 1L) * places.stride();
    }

    /// The greatest place.
    long last() {
        return last(places);
    }

    /// All places in their order.
    List<Long> each() {
        return LongStream.range(0, places.count())
                .mapToObj(i -> places.from() + i * places.stride())
                .toList();
    }

    /// The path that it is asked for by.
    String path() {
        return PREFIX + fingerprint + "/" + places.epoch() + "/" + places.from() + "/" + places.stride() + "/"
                + places.count();
    }

    /// The address of `path`.
    ///
    /// @throws IllegalArgumentException if it is none
    static PieceAddress parse(String path) {
        String[] parts = path.length() > LONGEST || !path.startsWith(PREFIX)
                ? new String[0]
                : path.substring(PREFIX.length()).split("/", -1);
        if (parts.length != 5) {
            throw new IllegalArgumentException(
                    "a piece is asked for as " + PREFIX + "FINGERPRINT/EPOCH/FROM/STRIDE/COUNT");
        }
        try {
            return new PieceAddress(
                    parts[0],
                    new ImageService.Places(
                            Long.parseLong(parts[1]),
                            Long.parseLong(parts[2]),
                            Integer.parseInt(parts[3]),
                            Integer.parseInt(parts[4])));
        } catch (NumberFormatException noNumber) {
            throw new IllegalArgumentException("an epoch, place, stride or count is no number: " + path, noNumber);
        }
    }
}
