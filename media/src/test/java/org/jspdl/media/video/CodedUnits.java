package org.jspdl.media.video;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The units of bare streams of H.264 and HEVC, in which each begins behind the bytes 0, 0 and 1.
enum CodedUnits {
    H264 {
        @Override
        int type(byte header) {
            return header & 0x1F;
        }

        @Override
        boolean isSlice(int type) {
            return type == 1 || type == 5;
        }

        @Override
        byte[] filler() {
            return new byte[] {12};
        }
    },
    HEVC {
        @Override
        int type(byte header) {
            return header >> 1 & 0x3F;
        }

        @Override
        boolean isSlice(int type) {
            return type < 32;
        }

        @Override
        byte[] filler() {
            return new byte[] {38 << 1};
        }
    };

    /// Where a unit begins, its start code included, where its header is, and where it ends.
    record Unit(int begin, int header, int end, int type) {}

    abstract int type(byte header);

    abstract boolean isSlice(int type);

    /// The header of a unit that decoders skip, as far as it says so.
    abstract byte[] filler();

    List<Unit> units(byte[] stream) {
        List<Integer> starts = new ArrayList<>();
        for (int i = 0; i + 3 < stream.length; i++) {
            if (stream[i] == 0 && stream[i + 1] == 0 && stream[i + 2] == 1) {
                starts.add(i);
            }
        }
        List<Unit> units = new ArrayList<>();
        for (int i = 0; i < starts.size(); i++) {
            int end = i + 1 < starts.size() ? starts.get(i + 1) : stream.length;
            while (stream[end - 1] == 0) {
                end--;
            }
            int header = starts.get(i) + 3;
            units.add(new Unit(starts.get(i), header, end, type(stream[header])));
        }
        return units;
    }

    /// The units that hold a part of a picture.
    List<Unit> slices(byte[] stream) {
        return units(stream).stream().filter(unit -> isSlice(unit.type())).toList();
    }

    /// The stream without a unit.
    static byte[] without(byte[] stream, Unit lost) {
        byte[] rest = new byte[stream.length - (lost.end() - lost.begin())];
        System.arraycopy(stream, 0, rest, 0, lost.begin());
        System.arraycopy(stream, lost.end(), rest, lost.begin(), stream.length - lost.end());
        return rest;
    }

    /// The same where units have their length before them: the unit is one that decoders skip.
    byte[] replaced(byte[] file, byte[] stream, Unit lost) {
        byte[] begin = Arrays.copyOfRange(stream, lost.header(), Math.min(lost.end(), lost.header() + 40));
        int at = indexOf(file, begin);
        byte[] changed = file.clone();
        System.arraycopy(filler(), 0, changed, at, filler().length);
        return changed;
    }

    /// The stream with a unit, its start code included, before the first slice of each picture.
    byte[] withBeforePictures(byte[] stream, byte[] unit) {
        ByteArrayOutputStream changed = new ByteArrayOutputStream();
        int done = 0;
        for (Unit slice : slices(stream)) {
            if (isFirst(stream, slice)) {
                changed.write(stream, done, slice.begin() - done);
                changed.writeBytes(unit);
                done = slice.begin();
            }
        }
        changed.write(stream, done, stream.length - done);
        return changed.toByteArray();
    }

    /// Of both, a one says that this is the first: HEVC's flag, and H.264's address 0 in an Exp-Golomb code.
    private boolean isFirst(byte[] stream, Unit slice) {
        return stream[slice.header() + (this == HEVC ? 2 : 1)] < 0;
    }

    private static int indexOf(byte[] file, byte[] part) {
        for (int i = 0; i + part.length <= file.length; i++) {
            if (Arrays.equals(file, i, i + part.length, part, 0, part.length)) {
                return i;
            }
        }
        throw new AssertionError("the unit is not in the file");
    }
}
