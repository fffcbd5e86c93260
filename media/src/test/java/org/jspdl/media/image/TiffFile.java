package org.jspdl.media.image;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.zip.Deflater;

/// A TIFF file written by hand, with one feature of the format or another, and the pixels in it.
///
/// Samples are random bytes; one of 16 bits holds its byte twice, one of fewer bits the byte's upper bits.
final class TiffFile {
    static final int NONE = 1;
    static final int LZW = 5;
    static final int DEFLATE = 8;
    static final int PACK_BITS = 32773;
    private static final int SHORT = 3;
    private static final int LONG = 4;

    private final int width;
    private final int height;
    private final int channels;
    private int bits = 8;
    private int photometric;
    private int compression = NONE;
    private int predictor = 1;
    private int fillOrder = 1;
    private int rowsInStrip;
    private int tile;
    private boolean separatePlanes;
    private boolean oldLzw;
    /// Pixels of a unit of luminance and chroma.
    private int across = 1;

    private int down = 1;
    private ByteOrder order = ByteOrder.LITTLE_ENDIAN;
    private final Map<Integer, int[]> more = new TreeMap<>();
    private final int[] samples;

    private TiffFile(int width, int height, int channels, long seed) {
        this.width = width;
        this.height = height;
        this.channels = channels;
        this.photometric = channels >= 3 ? 2 : 1;
        this.rowsInStrip = height;
        SplittableRandom random = new SplittableRandom(seed);
        samples = random.ints((long) width * height * channels, 0, 256).toArray();
    }

    static TiffFile of(int width, int height, int channels) {
        return new TiffFile(width, height, channels, 31L * width + height);
    }

    TiffFile bits(int count) {
        bits = count;
        return this;
    }

    TiffFile photometric(int value) {
        photometric = value;
        return this;
    }

    TiffFile compression(int value) {
        compression = value;
        return this;
    }

    TiffFile predictor(int value) {
        predictor = value;
        return this;
    }

    TiffFile fillOrder(int value) {
        fillOrder = value;
        return this;
    }

    TiffFile rowsInStrip(int rows) {
        rowsInStrip = rows;
        return this;
    }

    TiffFile tiles(int size) {
        tile = size;
        return this;
    }

    TiffFile separatePlanes() {
        separatePlanes = true;
        return this;
    }

    TiffFile oldLzw() {
        compression = LZW;
        oldLzw = true;
        return this;
    }

    TiffFile bigEndian() {
        order = ByteOrder.BIG_ENDIAN;
        return this;
    }

    /// Luminance, and one sample of either chroma for so many pixels: that of the first one.
    TiffFile chroma(int pixelsAcross, int pixelsDown) {
        photometric = 6;
        across = pixelsAcross;
        down = pixelsDown;
        return tag(530, across, down);
    }

    TiffFile tag(int tag, int... values) {
        more.put(tag, values);
        return this;
    }

    /// RGB, 8 bits.
    byte[] pixels() {
        byte[] rgb = new byte[width * height * 3];
        for (int i = 0; i < width * height; i++) {
            for (int c = 0; c < 3; c++) {
                int value = seen(samples[i * channels + (channels < 3 ? 0 : c)]);
                int[] map = more.get(320);
                if (photometric == 3 && map != null) {
                    int count = 1 << bits;
                    value = map[c * count + (samples[i * channels] >> (8 - bits))] >> 8;
                } else if (photometric == 6) {
                    value = color(i % width, i / width, c);
                } else if (photometric == 0) {
                    value = 255 - value;
                } else if (photometric == 5) {
                    value = ((255 - value) * (255 - samples[i * channels + 3]) + 127) / 255;
                }
                rgb[3 * i + c] = (byte) value;
            }
        }
        return rgb;
    }

    private int color(int x, int y, int channel) {
        int top = tile > 0 ? y / tile * tile : y / rowsInStrip * rowsInStrip;
        int left = tile > 0 ? x / tile * tile : 0;
        int[] range = more.getOrDefault(532, new int[] {0, 255, 128, 255, 128, 255});
        int unit = (y - (y - top) % down) * width + x - (x - left) % across;
        double cb = (samples[3 * unit + 1] - range[2]) * 127.0 / (range[3] - range[2]);
        double cr = (samples[3 * unit + 2] - range[4]) * 127.0 / (range[5] - range[4]);
        double value = (samples[3 * (y * width + x)] - range[0]) * 255.0 / (range[1] - range[0])
                + switch (channel) {
                    case 0 -> 1.402 * cr;
                    case 1 -> -0.344136 * cb - 0.714136 * cr;
                    default -> 1.772 * cb;
                };
        return Math.clamp(Math.round(value), 0, 255);
    }

    private int seen(int sample) {
        if (bits >= 8) {
            return sample;
        }
        int value = sample >> (8 - bits);
        return value * 255 / ((1 << bits) - 1);
    }

    /// Whether the decoder rounds, having more bits than it gives.
    boolean isRounded() {
        return bits > 8 || photometric == 5 || photometric == 6;
    }

    @Override
    public String toString() {
        return channels + " x " + bits + " bits, photometric " + photometric + ", compression " + compression
                + ", predictor " + predictor + ", bit order " + fillOrder + ", " + order
                + (tile > 0 ? ", tiles" : ", strips of " + rowsInStrip) + (separatePlanes ? ", separate planes" : "")
                + (oldLzw ? ", old LZW" : "") + ", tags " + more.keySet();
    }

    byte[] bytes() {
        List<byte[]> pieces = new ArrayList<>();
        int planes = separatePlanes ? channels : 1;
        for (int p = 0; p < planes; p++) {
            if (tile > 0) {
                for (int y = 0; y < height; y += tile) {
                    for (int x = 0; x < width; x += tile) {
                        pieces.add(piece(p, x, y, tile, tile));
                    }
                }
            } else {
                for (int y = 0; y < height; y += rowsInStrip) {
                    pieces.add(piece(p, 0, y, width, Math.min(rowsInStrip, height - y)));
                }
            }
        }
        Map<Integer, int[]> tags = new TreeMap<>();
        tags.put(256, new int[] {width});
        tags.put(257, new int[] {height});
        int[] depths = new int[channels];
        Arrays.fill(depths, bits);
        tags.put(258, depths);
        tags.put(259, new int[] {compression});
        tags.put(262, new int[] {photometric});
        tags.put(277, new int[] {channels});
        tags.put(284, new int[] {separatePlanes ? 2 : 1});
        if (fillOrder != 1) {
            tags.put(266, new int[] {fillOrder});
        }
        if (predictor != 1) {
            tags.put(317, new int[] {predictor});
        }
        int[] lengths = pieces.stream().mapToInt(piece -> piece.length).toArray();
        if (tile > 0) {
            tags.put(322, new int[] {tile});
            tags.put(323, new int[] {tile});
        } else {
            tags.put(278, new int[] {rowsInStrip});
        }
        tags.put(tile > 0 ? 325 : 279, lengths);
        tags.put(tile > 0 ? 324 : 273, new int[lengths.length]);
        tags.putAll(more);
        return assemble(tags, pieces, tile > 0 ? 324 : 273);
    }

    private byte[] assemble(Map<Integer, int[]> tags, List<byte[]> pieces, int offsetsTag) {
        int size = 8;
        int[] offsets = tags.get(offsetsTag);
        for (int i = 0; i < pieces.size(); i++) {
            offsets[i] = size;
            size += (pieces.get(i).length + 1) / 2 * 2;
        }
        int directory = size;
        int after = directory + 2 + 12 * tags.size() + 4;
        int total = after;
        for (Map.Entry<Integer, int[]> tag : tags.entrySet()) {
            int bytes = tag.getValue().length * (isLong(tag.getKey()) ? 4 : 2);
            total += bytes > 4 ? bytes : 0;
        }
        ByteBuffer out = ByteBuffer.allocate(total).order(order);
        out.put((byte) (order == ByteOrder.BIG_ENDIAN ? 'M' : 'I')).put(out.get(0));
        out.putShort((short) 42).putInt(directory);
        for (int i = 0; i < pieces.size(); i++) {
            out.position(offsets[i]).put(pieces.get(i));
        }
        out.position(directory).putShort((short) tags.size());
        for (Map.Entry<Integer, int[]> tag : tags.entrySet()) {
            int[] values = tag.getValue();
            boolean isLong = isLong(tag.getKey());
            int bytes = values.length * (isLong ? 4 : 2);
            out.putShort((short) (int) tag.getKey()).putShort((short) (isLong ? LONG : SHORT));
            out.putInt(values.length);
            int at = out.position();
            if (bytes > 4) {
                out.putInt(after);
                out.position(after);
                after += bytes;
            }
            for (int value : values) {
                if (isLong) {
                    out.putInt(value);
                } else {
                    out.putShort((short) value);
                }
            }
            out.position(at + 4);
        }
        return out.array();
    }

    private static boolean isLong(int tag) {
        return tag == 273 || tag == 279 || tag == 324 || tag == 325;
    }

    /// Strip or tile, compressed.
    private byte[] piece(int plane, int left, int top, int columns, int rows) {
        int count = separatePlanes ? 1 : channels;
        int lineBytes = (columns * count * bits + 7) / 8;
        if (more.containsKey(530)) {
            byte[] units = units(left, top, columns, rows);
            return packed(units, Math.min(units.length, lineBytes));
        }
        byte[] raw = new byte[lineBytes * rows];
        for (int y = 0; y < rows; y++) {
            int[] line = new int[columns * count];
            for (int x = 0; x < columns; x++) {
                for (int c = 0; c < count; c++) {
                    int sx = Math.min(left + x, width - 1);
                    int sy = Math.min(top + y, height - 1);
                    line[x * count + c] = samples[(sy * width + sx) * channels + (separatePlanes ? plane : c)];
                }
            }
            pack(line, count, raw, y * lineBytes);
        }
        return packed(raw, lineBytes);
    }

    private byte[] units(int left, int top, int columns, int rows) {
        ByteArrayOutputStream units = new ByteArrayOutputStream();
        for (int y = 0; y < rows; y += down) {
            for (int x = 0; x < columns; x += across) {
                for (int i = 0; i < across * down; i++) {
                    units.write(sample(left + x + i % across, top + y + i / across, 0));
                }
                units.write(sample(left + x, top + y, 1));
                units.write(sample(left + x, top + y, 2));
            }
        }
        return units.toByteArray();
    }

    /// The sample of the nearest pixel.
    private int sample(int x, int y, int channel) {
        return samples[(Math.min(y, height - 1) * width + Math.min(x, width - 1)) * channels + channel];
    }

    private byte[] packed(byte[] raw, int lineBytes) {
        byte[] packed = switch (compression) {
            case PACK_BITS -> packBits(raw, lineBytes);
            case DEFLATE, 32946 -> deflate(raw);
            case LZW -> lzw(raw);
            default -> raw;
        };
        if (fillOrder == 2) {
            for (int i = 0; i < packed.length; i++) {
                packed[i] = (byte) (Integer.reverse(packed[i]) >>> 24);
            }
        }
        return packed;
    }

    private void pack(int[] line, int count, byte[] raw, int at) {
        long mask = bits == 32 ? 0xFFFFFFFFL : (1L << bits) - 1;
        for (int i = line.length - 1; i >= 0; i--) {
            long value = stored(line[i]);
            if (predictor == 2 && i >= count) {
                value = value - stored(line[i - count]) & mask;
            }
            if (bits % 8 != 0) {
                for (int b = 0; b < bits; b++) {
                    int bit = i * bits + b;
                    raw[at + bit / 8] |= (byte) (((value >> (bits - 1 - b)) & 1) << (7 - bit % 8));
                }
            } else {
                for (int b = 0; b < bits / 8; b++) {
                    int shift = 8 * (order == ByteOrder.BIG_ENDIAN ? bits / 8 - 1 - b : b);
                    raw[at + i * bits / 8 + b] = (byte) (value >> shift);
                }
            }
        }
    }

    private long stored(int sample) {
        return switch (bits) {
            case 8 -> sample;
            case 16 -> sample * 0x101L;
            case 32 -> isFloat() ? Float.floatToIntBits(sample / 255f) & 0xFFFFFFFFL : sample * 0x1010101L;
            default -> bits < 8 ? sample >> (8 - bits) : ((long) sample << (bits - 8)) | (sample >> (16 - bits));
        };
    }

    private boolean isFloat() {
        int[] format = more.get(339);
        return format != null && format[0] == 3;
    }

    private static byte[] packBits(byte[] raw, int lineBytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int line = 0; line < raw.length; line += lineBytes) {
            for (int x = 0; x < Math.min(lineBytes, raw.length - line); x += 128) {
                int count = Math.min(128, Math.min(lineBytes, raw.length - line) - x);
                out.write(count - 1);
                out.write(raw, line + x, count);
            }
        }
        return out.toByteArray();
    }

    private static byte[] deflate(byte[] raw) {
        Deflater deflater = new Deflater();
        deflater.setInput(raw);
        deflater.finish();
        byte[] out = new byte[raw.length + 64];
        int length = deflater.deflate(out);
        deflater.end();
        return Arrays.copyOf(out, length);
    }

    /// Codes of 9 bits, with the table cleared before they need more.
    private byte[] lzw(byte[] raw) {
        List<Integer> codes = new ArrayList<>();
        for (int i = 0; i < raw.length; i++) {
            if (i % 200 == 0) {
                codes.add(256);
            }
            codes.add(raw[i] & 0xFF);
        }
        codes.add(257);
        byte[] out = new byte[(codes.size() * 9 + 7) / 8];
        for (int i = 0; i < codes.size(); i++) {
            for (int b = 0; b < 9; b++) {
                int bit = i * 9 + b;
                if (oldLzw) {
                    out[bit / 8] |= (byte) ((codes.get(i) >> b & 1) << bit % 8);
                } else {
                    out[bit / 8] |= (byte) (((codes.get(i) >> (8 - b)) & 1) << (7 - bit % 8));
                }
            }
        }
        return out;
    }
}
