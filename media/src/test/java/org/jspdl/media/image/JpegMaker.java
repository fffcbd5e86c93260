package org.jspdl.media.image;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.SplittableRandom;

/// Makes sequential JPEG files of random coefficients, for tests: any components, sampling, scans, restarts, and
/// Huffman codes with lengths of up to 16 bits.
final class JpegMaker {
    private static final int AREA = 64;
    /// How many codes of 1 to 16 bits there are.
    private static final int[] CODES = {0, 1, 1, 1, 1, 2, 3, 5, 8, 10, 12, 15, 20, 30, 50, 97};

    final int width;
    final int height;
    /// Sampling factors of each component, across and down.
    final int[][] sampling;
    int restartInterval;
    boolean interleaved = true;
    /// Adobe's transform; none if negative.
    int adobe = -1;
    boolean jfif;
    String identifiers = "\1\2\3\4";
    int step = 3;

    private final SplittableRandom random;
    private final ByteArrayOutputStream file = new ByteArrayOutputStream();
    private final int[] dcCodes = new int[16];
    private final int[] acSymbols = new int[256];
    private final int[] acCodes = new int[256];
    private final int[] acLengths = new int[256];
    private long pending;
    private int pendingBits;

    JpegMaker(int width, int height, int[][] sampling, SplittableRandom random) {
        this.width = width;
        this.height = height;
        this.sampling = sampling;
        this.random = random;
    }

    byte[] make() {
        file.reset();
        marker(0xD8);
        if (jfif) {
            segment(0xE0, 'J', 'F', 'I', 'F', 0, 1, 1, 0, 0, 1, 0, 1, 0, 0);
        }
        if (adobe >= 0) {
            segment(0xEE, 'A', 'd', 'o', 'b', 'e', 0, 100, 0, 0, 0, 0, adobe);
        }
        int[] table = new int[1 + AREA];
        for (int k = 0; k < AREA; k++) {
            table[1 + k] = Math.min(255, 1 + step + k * step / 8);
        }
        segment(0xDB, table);
        int[] frame = {8, height >> 8, height & 255, width >> 8, width & 255, sampling.length};
        for (int c = 0; c < sampling.length; c++) {
            frame = append(frame, identifiers.charAt(c), sampling[c][0] << 4 | sampling[c][1], 0);
        }
        segment(0xC0, frame);
        codes();
        if (restartInterval > 0) {
            segment(0xDD, restartInterval >> 8, restartInterval & 255);
        }
        if (interleaved) {
            int[] all = new int[sampling.length];
            Arrays.setAll(all, c -> c);
            scan(all);
        } else {
            for (int c = 0; c < sampling.length; c++) {
                scan(new int[] {c});
            }
        }
        marker(0xD9);
        return file.toByteArray();
    }

    private void scan(int[] components) {
        int[] header = {components.length};
        for (int c : components) {
            header = append(header, identifiers.charAt(c), 0);
        }
        segment(0xDA, append(header, 0, AREA - 1, 0));
        int across = Arrays.stream(sampling).mapToInt(s -> s[0]).max().orElseThrow();
        int down = Arrays.stream(sampling).mapToInt(s -> s[1]).max().orElseThrow();
        int units;
        if (components.length == 1) {
            int[] own = sampling[components[0]];
            units = ceiling(width * own[0], 8 * across) * ceiling(height * own[1], 8 * down);
        } else {
            units = ceiling(width, 8 * across) * ceiling(height, 8 * down);
        }
        int[] last = new int[sampling.length];
        for (int u = 0; u < units; u++) {
            if (restartInterval > 0 && u > 0 && u % restartInterval == 0) {
                flush();
                marker(0xD0 + (u / restartInterval - 1) % 8);
                Arrays.fill(last, 0);
            }
            for (int c : components) {
                int blocks = components.length == 1 ? 1 : sampling[c][0] * sampling[c][1];
                for (int b = 0; b < blocks; b++) {
                    last[c] = block(last[c]);
                }
            }
        }
        flush();
    }

    private int block(int last) {
        int most = 900 / (1 + step);
        int dc = random.nextInt(4) > 0 ? last : random.nextInt(-most, most + 1);
        int size = size(dc - last);
        bits(dcCodes[size], 4);
        bits(value(dc - last, size), size);
        int run = 0;
        int k = 1;
        while (k < AREA && random.nextInt(8) > 0) {
            run = random.nextInt(random.nextInt(6) == 0 ? 40 : 4);
            if (k + run >= AREA) {
                break;
            }
            k += run + 1;
            for (; run > 15; run -= 16) {
                symbol(0xF0);
            }
            int high = Math.max(1, 300 / (1 + step + k));
            int coefficient = random.nextInt(1, high + 1) * (random.nextBoolean() ? 1 : -1);
            symbol(run << 4 | size(coefficient));
            bits(value(coefficient, size(coefficient)), size(coefficient));
        }
        if (k < AREA) {
            symbol(0);
        }
        return dc;
    }

    private static int size(int value) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(Math.abs(value));
    }

    private static int value(int value, int size) {
        return value < 0 ? value + (1 << size) - 1 : value;
    }

    private void symbol(int symbol) {
        bits(acCodes[symbol], acLengths[symbol]);
    }

    private void bits(int value, int count) {
        pending = pending << count | value;
        pendingBits += count;
        while (pendingBits >= 8) {
            pendingBits -= 8;
            entropy((int) (pending >> pendingBits) & 255);
        }
    }

    private void entropy(int one) {
        file.write(one);
        if (one == 255) {
            file.write(0);
        }
    }

    private void flush() {
        if (pendingBits > 0) {
            entropy((int) (pending << (8 - pendingBits) | 255 >> pendingBits) & 255);
        }
        pending = 0;
        pendingBits = 0;
    }

    /// One code of four bits for each size of a DC difference; AC symbols in random order, the usual ones first.
    private void codes() {
        int[] dc = new int[1 + 16 + 12];
        dc[4] = 12;
        for (int i = 0; i < 12; i++) {
            dc[17 + i] = i;
            dcCodes[i] = i;
        }
        segment(0xC4, dc);
        for (int i = 0; i < 256; i++) {
            acSymbols[i] = i;
        }
        for (int i = 255; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int kept = acSymbols[i];
            acSymbols[i] = acSymbols[other];
            acSymbols[other] = kept;
        }
        int[] ac = new int[1 + 16 + 256];
        ac[0] = 0x10;
        int code = 0;
        int next = 0;
        for (int length = 1; length <= 16; length++) {
            ac[length] = CODES[length - 1];
            for (int i = 0; i < CODES[length - 1]; i++) {
                acCodes[acSymbols[next]] = code++;
                acLengths[acSymbols[next]] = length;
                ac[17 + next] = acSymbols[next];
                next++;
            }
            code <<= 1;
        }
        segment(0xC4, Arrays.copyOf(ac, 17 + next));
    }

    private void marker(int code) {
        file.write(255);
        file.write(code);
    }

    private void segment(int code, int... content) {
        marker(code);
        file.write((content.length + 2) >> 8);
        file.write(content.length + 2);
        for (int one : content) {
            file.write(one);
        }
    }

    private static int[] append(int[] array, int... more) {
        int[] both = Arrays.copyOf(array, array.length + more.length);
        System.arraycopy(more, 0, both, array.length, more.length);
        return both;
    }

    private static int ceiling(int value, int divisor) {
        return (value + divisor - 1) / divisor;
    }
}
