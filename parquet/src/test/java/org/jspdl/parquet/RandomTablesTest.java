package org.jspdl.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspdl.data.shards.ShardFailures;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.storage.Storage;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tables with random schemas, which DuckDB writes and reads: every value is the one that DuckDB reads, or the row is
/// refused because of what an array cannot hold.
class RandomTablesTest {
    private static final int ROWS = 60;

    @TempDir
    Path folder;

    private final Storage storage = Storage.open();
    private final BufferPool pool = BufferPool.create("parquet", 1 << 26);

    @AfterEach
    void close() {
        pool.close();
        storage.close();
    }

    /// A column, or a part of one.
    ///
    /// @param field   what it is called here
    /// @param path    how DuckDB gets it from a row
    /// @param type    DuckDB's type of a value
    /// @param depth   lists around a value
    private record Leaf(String field, String path, String type, int depth) {}

    private static final List<String> TYPES = List.of(
            "BOOLEAN",
            "TINYINT",
            "SMALLINT",
            "INTEGER",
            "BIGINT",
            "UTINYINT",
            "USMALLINT",
            "UINTEGER",
            "UBIGINT",
            "FLOAT",
            "DOUBLE",
            "VARCHAR",
            "BLOB",
            "UUID",
            "DATE",
            "TIME",
            "TIMESTAMP",
            "TIMESTAMP_MS",
            "TIMESTAMP_NS",
            "DECIMAL(4,1)",
            "DECIMAL(9,4)",
            "DECIMAL(18,3)",
            "DECIMAL(38,10)");

    /// A random value of a type, as DuckDB's SQL.
    private static String value(SplittableRandom random, String type, int nulls) {
        if (random.nextInt(100) < nulls) {
            return "NULL::" + type;
        }
        long whole = random.nextInt(4) == 0 ? random.nextInt(3) : random.nextLong();
        String text = switch (type) {
            case "BOOLEAN" -> String.valueOf(random.nextBoolean());
            case "TINYINT" -> String.valueOf((byte) whole);
            case "SMALLINT" -> String.valueOf((short) whole);
            case "INTEGER" -> String.valueOf((int) whole);
            case "BIGINT" -> String.valueOf(whole);
            case "UTINYINT" -> String.valueOf(whole & 0xFF);
            case "USMALLINT" -> String.valueOf(whole & 0xFFFF);
            case "UINTEGER" -> String.valueOf(whole & 0xFFFF_FFFFL);
            case "UBIGINT" -> Long.toUnsignedString(whole);
            case "FLOAT" -> String.valueOf((float) random.nextDouble(-1e6, 1e6));
            case "DOUBLE" -> String.valueOf(random.nextDouble(-1e6, 1e6));
            case "VARCHAR" -> "wörd " + Long.toString(Math.abs(whole) % 1000, 36) + "x".repeat(random.nextInt(9));
            case "BLOB" -> "\\x%02X\\x00\\xFF".formatted(random.nextInt(256)).repeat(random.nextInt(4));
            case "UUID" -> new java.util.UUID(random.nextLong(), random.nextLong()).toString();
            case "DATE" ->
                java.time.LocalDate.ofEpochDay(random.nextInt(-200_000, 200_000))
                        .toString();
            case "TIME" ->
                java.time.LocalTime.ofNanoOfDay(1000 * random.nextLong(86_400_000_000L))
                        .toString();
            case "TIMESTAMP", "TIMESTAMP_MS", "TIMESTAMP_NS" ->
                java.time.LocalDateTime.of(1970, 1, 1, 0, 0)
                        .plusNanos(1_000 * random.nextLong(-2_000_000_000_000_000L, 2_000_000_000_000_000L))
                        .toString();
            default -> {
                String[] digits = type.substring(8, type.length() - 1).split(",");
                int scale = Integer.parseInt(digits[1]);
                int most = Math.min(18, Integer.parseInt(digits[0]));
                long bound = 1;
                for (int i = 0; i < most; i++) {
                    bound *= 10;
                }
                yield new java.math.BigDecimal(java.math.BigInteger.valueOf(random.nextLong(-bound + 1, bound)), scale)
                        .toPlainString();
            }
        };
        return "'" + text + "'::" + type;
    }

    /// A random value of a shape: 0 plain, 1 list, 2 list of lists, 3 structure, 4 list of structures, 5 map.
    private static String nested(SplittableRandom random, int shape, String type, int nulls) {
        boolean isNull = random.nextInt(100) < nulls;
        return switch (shape) {
            case 0 -> value(random, type, nulls);
            case 1 -> isNull ? "NULL::" + type + "[]" : list(random, type, nulls, random.nextInt(4));
            case 2 -> {
                int inner = random.nextInt(3);
                List<String> lists = new ArrayList<>();
                for (int i = random.nextInt(3); i > 0; i--) {
                    lists.add(list(random, type, nulls, random.nextInt(12) == 0 ? 3 : inner));
                }
                yield isNull ? "NULL::" + type + "[][]" : "[" + String.join(", ", lists) + "]::" + type + "[][]";
            }
            case 3 -> {
                String struct = "STRUCT(a " + type + ", b " + type + "[])";
                yield isNull
                        ? "NULL::" + struct
                        : "{'a': " + value(random, type, nulls) + ", 'b': "
                                + list(random, type, nulls, random.nextInt(3)) + "}::" + struct;
            }
            case 4 -> {
                String struct = "STRUCT(a " + type + ")[]";
                List<String> all = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    all.add("{'a': " + value(random, type, nulls) + "}");
                }
                yield isNull ? "NULL::" + struct : "[" + String.join(", ", all) + "]::" + struct;
            }
            default -> {
                String map = "MAP(INTEGER, " + type + ")";
                List<String> all = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    all.add(i + ": " + value(random, type, nulls));
                }
                yield isNull ? "NULL::" + map : "MAP {" + String.join(", ", all) + "}::" + map;
            }
        };
    }

    private static String list(SplittableRandom random, String type, int nulls, int length) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            values.add(value(random, type, nulls / 4));
        }
        return "[" + String.join(", ", values) + "]::" + type + "[]";
    }

    private static List<Leaf> leaves(String name, int shape, String type) {
        return switch (shape) {
            case 0, 1, 2 -> List.of(new Leaf(name, name, type, shape));
            case 3 -> List.of(new Leaf(name + ".a", name + ".a", type, 0), new Leaf(name + ".b", name + ".b", type, 1));
            case 4 -> List.of(new Leaf(name + ".a", "list_transform(" + name + ", x -> x.a)", type, 1));
            default ->
                List.of(
                        new Leaf(name + ".key", "map_keys(" + name + ")", "INTEGER", 1),
                        new Leaf(name + ".value", "map_values(" + name + ")", type, 1));
        };
    }

    @Test
    void everyValueIsTheOneThatDuckDbReadsOrItsRowIsRefused() throws Exception {
        boolean campaign = Boolean.getBoolean("campaign");
        long seed = campaign ? Long.getLong("seed", System.nanoTime()) : 20_261_122;
        int tables = campaign ? 1000 : 12;
        long[] counts = new long[3];
        try (DuckDb duck = new DuckDb()) {
            for (int table = 0; table < tables; table++) {
                try {
                    table(duck, new SplittableRandom(seed + table), counts);
                } catch (Throwable failure) {
                    throw new AssertionError("table with the seed " + (seed + table), failure);
                }
            }
        }
        System.out.printf(
                "%,d tables: %,d values as DuckDB reads them, %,d null, %,d rows refused%n",
                tables, counts[0], counts[1], counts[2]);
        assertThat(counts[0]).isGreaterThan(1000);
        assertThat(counts[1]).isPositive();
        assertThat(counts[2]).isPositive();
    }

    private void table(DuckDb duck, SplittableRandom random, long[] counts) throws Exception {
        int nulls = random.nextInt(3) == 0 ? 0 : random.nextInt(40);
        List<Leaf> leaves = new ArrayList<>();
        List<String> types = new ArrayList<>();
        List<Integer> shapes = new ArrayList<>();
        for (int i = random.nextInt(1, 6); i > 0; i--) {
            types.add(TYPES.get(random.nextInt(TYPES.size())));
            shapes.add(random.nextInt(6));
            leaves.addAll(leaves("c" + types.size(), shapes.getLast(), types.getLast()));
        }
        StringBuilder rows = new StringBuilder();
        for (int row = 0; row < ROWS; row++) {
            rows.append(row == 0 ? "SELECT " : " UNION ALL SELECT ");
            for (int i = 0; i < types.size(); i++) {
                rows.append(i == 0 ? "" : ", ")
                        .append(nested(random, shapes.get(i), types.get(i), nulls))
                        .append(" AS c")
                        .append(i + 1);
            }
        }
        String codec =
                List.of("snappy", "zstd", "gzip", "uncompressed", "lz4_raw").get(random.nextInt(5));
        Path file = folder.resolve("table.parquet");
        Files.deleteIfExists(file);
        duck.write(
                rows.toString(),
                file,
                ", COMPRESSION " + codec + ", PARQUET_VERSION " + (random.nextBoolean() ? "v1" : "v2"));
        for (Leaf leaf : leaves) {
            compare(duck, file, leaf, counts);
        }
    }

    private void compare(DuckDb duck, Path file, Leaf leaf, long[] counts) throws Exception {
        String shown = shown(leaf.path, leaf.type, leaf.depth);
        List<String> expected = duck.column("SELECT " + shown + "::VARCHAR FROM '" + file + "'");
        List<String> found = new ArrayList<>(java.util.Collections.nCopies(ROWS, "refused"));
        ShardOptions options =
                ShardOptions.defaults().columns(leaf.field).failures(ShardFailures.skip(ROWS, broken -> {}));
        try (Cursor<ShardSample> cursor =
                Shards.shard(storage, file.toString(), options, pool).open(0, Position.START)) {
            while (cursor.advance()) {
                try (ShardSample sample = cursor.item()) {
                    found.set((int) sample.index(), sample.has(leaf.field) ? shown(sample, leaf) : null);
                }
            }
        }
        for (int row = 0; row < ROWS; row++) {
            if ("refused".equals(found.get(row))) {
                assertThat(unfit(expected.get(row)))
                        .as("row %d of %s was refused: %s", row, leaf, expected.get(row))
                        .isTrue();
                counts[2]++;
            } else {
                assertThat(found.get(row)).as("row %d of %s", row, leaf).isEqualTo(expected.get(row));
                counts[found.get(row) == null ? 1 : 0]++;
            }
        }
    }

    /// Whether an array cannot hold a list: it has a null, or lists of different lengths.
    private static boolean unfit(String list) {
        if (list == null) {
            return false;
        }
        if (list.contains("NULL")) {
            return true;
        }
        java.util.Set<Integer> lengths = new java.util.HashSet<>();
        for (String inner : list.split("\\]")) {
            if (inner.contains("[")) {
                String inside = inner.substring(inner.lastIndexOf('[') + 1);
                lengths.add(inside.isEmpty() ? 0 : inside.split(",").length);
            }
        }
        return lengths.size() > 1;
    }

    /// How DuckDB is asked for a value: exact for all types.
    private static String shown(String path, String type, int depth) {
        if (depth > 0) {
            return "list_transform(" + path + ", v" + depth + " -> " + shown("v" + depth, type, depth - 1) + ")";
        }
        return switch (type) {
            case "VARCHAR", "UUID" -> "'x' || hex(encode(" + path + "::VARCHAR))";
            case "BLOB" -> "'x' || hex(" + path + ")";
            case "FLOAT", "DOUBLE" -> path + "::DOUBLE::VARCHAR";
            case "DATE" -> "strftime(" + path + ", '%Y-%m-%d')";
            case "TIME" -> "(epoch_us(DATE '1970-01-01' + " + path + "))::VARCHAR";
            case "TIMESTAMP", "TIMESTAMP_MS", "TIMESTAMP_NS" -> "epoch_ns(" + path + "::TIMESTAMP_NS)::VARCHAR";
            default -> path + "::VARCHAR";
        };
    }

    private static String shown(ShardSample sample, Leaf leaf) {
        MemorySegment bytes = sample.bytes(leaf.field);
        ElementType type = sample.elementType(leaf.field).orElse(null);
        List<String> values = new ArrayList<>();
        long[] shape;
        if (type != null) {
            shape = sample.array(leaf.field).shape().extents();
            for (long at = 0; at < bytes.byteSize(); at += type.byteSize()) {
                values.add(number(type, bytes.asSlice(at, type.byteSize())));
            }
        } else if (leaf.depth == 0) {
            shape = new long[0];
            values.add(text(leaf.type, bytes));
        } else {
            String lengths = leaf.field + ".lengths";
            shape = sample.array(lengths).shape().extents();
            long at = 0;
            for (long i = 0; i < sample.bytes(lengths).byteSize(); i += 8) {
                long length = sample.bytes(lengths).get(ValueLayout.JAVA_LONG_UNALIGNED, i);
                values.add(text(leaf.type, bytes.asSlice(at, length)));
                at += length;
            }
            assertThat(at).isEqualTo(bytes.byteSize());
        }
        return arranged(values, shape, 0, new int[1]);
    }

    private static String arranged(List<String> values, long[] shape, int level, int[] next) {
        if (level == shape.length) {
            return values.get(next[0]++);
        }
        List<String> parts = new ArrayList<>();
        for (long i = 0; i < shape[level]; i++) {
            parts.add(arranged(values, shape, level + 1, next));
        }
        return "[" + String.join(", ", parts) + "]";
    }

    private static String number(ElementType type, MemorySegment value) {
        return switch (type) {
            case BOOL -> value.get(ValueLayout.JAVA_BYTE, 0) == 1 ? "true" : "false";
            case INT8 -> String.valueOf(value.get(ValueLayout.JAVA_BYTE, 0));
            case UINT8 -> String.valueOf(value.get(ValueLayout.JAVA_BYTE, 0) & 0xFF);
            case INT16 -> String.valueOf(value.get(ValueLayout.JAVA_SHORT_UNALIGNED, 0));
            case UINT16 -> String.valueOf(value.get(ValueLayout.JAVA_SHORT_UNALIGNED, 0) & 0xFFFF);
            case INT32 -> String.valueOf(value.get(ValueLayout.JAVA_INT_UNALIGNED, 0));
            case UINT32 -> Integer.toUnsignedString(value.get(ValueLayout.JAVA_INT_UNALIGNED, 0));
            case INT64 -> String.valueOf(value.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
            case UINT64 -> Long.toUnsignedString(value.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
            case FLOAT32 -> decimal(value.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 0));
            case FLOAT64 -> decimal(value.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 0));
            default -> throw new AssertionError(type);
        };
    }

    /// As DuckDB writes it; values are below a million, so that it uses no exponent.
    private static String decimal(double value) {
        String plain = new java.math.BigDecimal(Double.toString(value)).toPlainString();
        return plain.contains(".") ? plain : plain + ".0";
    }

    private static String text(String type, MemorySegment bytes) {
        byte[] copy = bytes.toArray(ValueLayout.JAVA_BYTE);
        String text = new String(copy, StandardCharsets.UTF_8);
        return switch (type) {
            case "VARCHAR", "UUID", "BLOB" ->
                "x" + java.util.HexFormat.of().withUpperCase().formatHex(copy);
            case "TIME" -> String.valueOf(java.time.LocalTime.parse(text).toNanoOfDay() / 1000);
            case "TIMESTAMP", "TIMESTAMP_MS", "TIMESTAMP_NS" -> {
                java.time.Instant instant = java.time.LocalDateTime.parse(text).toInstant(java.time.ZoneOffset.UTC);
                yield String.valueOf(
                        Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L), instant.getNano()));
            }
            default -> text;
        };
    }
}
