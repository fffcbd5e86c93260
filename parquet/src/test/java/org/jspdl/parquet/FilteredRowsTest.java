package org.jspdl.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.parquet.format.ColumnOrder;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.TypeDefinedOrder;
import org.apache.parquet.format.Util;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.shards.filter.RowFilter;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.input.FormatException;
import org.jspdl.memory.BufferPool;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.source.Cursor;
import org.jspdl.source.Even;
import org.jspdl.source.Position;
import org.jspdl.source.ShardStream;
import org.jspdl.source.Source;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Rows that a filter leaves: those that DuckDB finds, whatever the statistics of the groups of rows rule out.
class FilteredRowsTest {
    private static final int ROWS = 20_000;

    @TempDir
    Path folder;

    private final Storage storage = Storage.open();
    private final BufferPool pool = BufferPool.create("parquet", 1 << 26);
    private Path table;

    @BeforeEach
    void write() throws Exception {
        try (DuckDb duck = new DuckDb()) {
            table = duck.write(
                    "SELECT range::INTEGER AS n, (range // 100 - 50)::BIGINT AS slow,"
                            + " CASE WHEN hash(range) % 10 = 0 THEN NULL ELSE (hash(range) % 7)::TINYINT END AS label,"
                            + " CASE WHEN range // 2048 = 3 THEN NULL"
                            + " ELSE ('l' || chr(228 + (range // 3000)::INTEGER)) END AS lang,"
                            + " (range / 16.0)::DOUBLE AS x, (range / -4.0)::FLOAT AS f,"
                            + " (range * 0.01)::DECIMAL(9, 2) AS price, (range * -1000.01)::DECIMAL(38, 2) AS huge,"
                            + " (18446744073709551615::UBIGINT - range::UBIGINT) AS big,"
                            + " (4294967295 - range)::UINTEGER AS u, (range // 80)::UTINYINT AS tiny,"
                            + " range % 3 = 0 AS third, DATE '1969-06-01' + (range // 20)::INTEGER AS day,"
                            + " TIMESTAMP '1969-12-31 23:00:00' + to_seconds(range) AS moment,"
                            + " CASE WHEN range % 5 = 0 THEN NULL ELSE {'part': range % 50} END AS s,"
                            + " [range] AS l, md5(range::VARCHAR) AS ballast FROM range(" + ROWS + ")",
                    folder.resolve("t.parquet"),
                    ", ROW_GROUP_SIZE 2048");
        }
    }

    @AfterEach
    void close() {
        pool.close();
        storage.close();
    }

    private ShardOptions where(String filter, String... columns) {
        return ShardOptions.defaults().columns(columns).where(RowFilter.parse(filter));
    }

    private List<Long> rows(Source<ShardSample> source, Position from, List<Position> places) throws Exception {
        List<Long> rows = new ArrayList<>();
        try (Cursor<ShardSample> cursor = source.open(0, from)) {
            while (cursor.advance()) {
                try (ShardSample sample = cursor.item()) {
                    rows.add(sample.number("n"));
                }
                places.add(cursor.position());
            }
        }
        return rows;
    }

    private List<Long> rows(String filter) throws Exception {
        return rows(table, filter);
    }

    private List<Long> rows(Path file, String filter) throws Exception {
        return rows(
                Shards.shard(storage, file.toString(), where(filter, "n", "ballast"), pool),
                Position.START,
                new ArrayList<>());
    }

    /// The table with a footer that says that statistics are in the order of the types, which DuckDB keeps and does
    /// not say: groups are passed over by them.
    private Path ordered() throws Exception {
        byte[] file = Files.readAllBytes(table);
        ByteBuffer end = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        int begin = file.length - 8 - end.getInt(file.length - 8);
        FileMetaData footer = Util.readFileMetaData(new ByteArrayInputStream(file, begin, file.length - 8 - begin));
        footer.setColumn_orders(footer.getSchema().stream()
                .filter(element -> element.isSetType())
                .map(_ -> ColumnOrder.TYPE_ORDER(new TypeDefinedOrder()))
                .toList());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(file, 0, begin);
        Util.writeFileMetaData(footer, out);
        byte[] tail = new byte[8];
        ByteBuffer.wrap(tail)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(out.size() - begin)
                .put(file, file.length - 4, 4);
        out.writeBytes(tail);
        return Files.write(folder.resolve("ordered.parquet"), out.toByteArray());
    }

    private static String comparison(SplittableRandom random) {
        String operator = List.of("=", "==", "!=", "<>", "<", "<=", ">", ">=").get(random.nextInt(8));
        int at = random.nextInt(-100, ROWS + 100);
        return switch (random.nextInt(15)) {
            case 0 -> "n " + operator + " " + at;
            case 1 -> "slow " + operator + " " + random.nextInt(-60, 160);
            case 2 -> "label " + operator + " " + random.nextInt(-1, 8);
            case 3 -> "lang " + operator + " 'l" + (char) (227 + random.nextInt(9)) + "'";
            case 4 -> "x " + operator + " " + at / 16.0;
            case 5 -> "f " + operator + " " + at / -4.0;
            case 6 -> "price " + operator + " " + BigDecimal.valueOf(at, 2);
            case 7 -> "huge " + operator + " " + BigDecimal.valueOf(at).multiply(new BigDecimal("-1000.01"));
            case 8 -> "big " + operator + " " + Long.toUnsignedString(-1L - Math.max(0, at));
            case 9 -> "u " + operator + " " + (4294967295L - at);
            case 10 -> "tiny " + operator + " " + at / 80;
            case 11 -> "third " + operator + " " + random.nextBoolean();
            case 12 -> "day " + operator + " '" + LocalDate.of(1969, 6, 1).plusDays(at / 20) + "'";
            case 13 ->
                "moment " + operator + " '"
                        + LocalDateTime.of(1969, 12, 31, 23, 0).plusSeconds(at) + "'";
            default -> "s.part " + operator + " " + random.nextInt(-1, 51);
        };
    }

    /// A condition of comparisons, as both read it.
    private static String condition(SplittableRandom random, int depth) {
        return switch (random.nextInt(depth == 0 ? 4 : 8)) {
            case 0 ->
                List.of("label", "lang", "n", "s.part").get(random.nextInt(4))
                        + (random.nextBoolean() ? " IS NULL" : " is not null");
            case 1 ->
                "label " + (random.nextBoolean() ? "NOT IN" : "in") + " (" + random.nextInt(8) + ", "
                        + random.nextInt(8) + ")";
            case 2, 3 -> comparison(random);
            case 4 -> "NOT (" + condition(random, depth - 1) + ")";
            case 5 -> "not " + comparison(random);
            case 6 -> "(" + condition(random, depth - 1) + " OR " + condition(random, depth - 1) + ")";
            default -> condition(random, depth - 1) + " and " + condition(random, depth - 1);
        };
    }

    @Test
    void thatAreLeftAreThoseThatDuckDbFinds() throws Exception {
        long seed = Long.getLong("seed", 5);
        int filters = Boolean.getBoolean("campaign") ? 2_000 : 40;
        SplittableRandom random = new SplittableRandom(seed);
        long found = 0;
        Path ordered = ordered();
        long before = storage.stats().bytes();
        rows("n < 0");
        long unordered = storage.stats().bytes() - before;
        before = storage.stats().bytes();
        rows(ordered, "n < 0");
        assertThat(storage.stats().bytes() - before)
                .as("nothing but the footer is read")
                .isLessThan(unordered - 10_000);
        try (DuckDb duck = new DuckDb()) {
            for (int i = 0; i < filters; i++) {
                String filter = condition(random, 3);
                List<Long> expected =
                        duck.column("SELECT n::VARCHAR FROM '" + table + "' WHERE " + filter + " ORDER BY n").stream()
                                .map(Long::valueOf)
                                .toList();

                assertThat(rows(filter)).as("seed %d: %s", seed, filter).isEqualTo(expected);
                assertThat(rows(ordered, filter))
                        .as("seed %d: %s, by statistics", seed, filter)
                        .isEqualTo(expected);
                found += expected.size();
            }
        }
        assertThat(found).isGreaterThan(1_000);
    }

    @Test
    void readingGoesOnBehindAnyOfThem() throws Exception {
        Source<ShardSample> source =
                Shards.shard(storage, table.toString(), where("label = 3 and slow > -20", "n"), pool);
        List<Position> places = new ArrayList<>();
        List<Long> whole = rows(source, Position.START, places);

        assertThat(whole).hasSizeGreaterThan(1_000);
        for (int taken = 1; taken < whole.size(); taken += 97) {
            assertThat(rows(source, places.get(taken - 1), new ArrayList<>()))
                    .isEqualTo(whole.subList(taken, whole.size()));
        }
        assertThat(rows(source, places.getLast(), new ArrayList<>())).isEmpty();
    }

    @Test
    void nothingIsReadOfGroupsThatTheStatisticsRuleOut() throws Exception {
        long before = storage.stats().bytes();
        assertThat(rows("n >= 0")).hasSize(ROWS);
        long all = storage.stats().bytes() - before;

        before = storage.stats().bytes();
        assertThat(rows("n < 5")).containsExactly(0L, 1L, 2L, 3L, 4L);
        long few = storage.stats().bytes() - before;

        before = storage.stats().bytes();
        assertThat(rows("u > 4294967295")).isEmpty();
        assertThat(rows("lang = 'z'")).isEmpty();
        long none = storage.stats().bytes() - before;

        assertThat(few).isLessThan(all / 3);
        assertThat(none).as("the footers").isLessThan(all / 3);
    }

    @Test
    void ranksAreDealtWhatIsLeft() throws Exception {
        List<Long> both = new ArrayList<>();
        List<Integer> sizes = new ArrayList<>();
        Files.copy(table, folder.resolve("u.parquet"));
        for (int rank = 0; rank < 2; rank++) {
            List<Long> own = rows(
                    Shards.share(
                            Shards.open(storage, folder.toString(), where("n < 3001 and label != 2", "n"), pool),
                            rank,
                            2,
                            Even.COUNT),
                    Position.START,
                    new ArrayList<>());
            sizes.add(own.size());
            both.addAll(own);
        }
        List<Long> left = rows("n < 3001 and label != 2");

        assertThat(sizes.get(0)).isEqualTo(sizes.get(1)).isEqualTo(left.size());
        assertThat(both)
                .containsExactlyInAnyOrderElementsOf(left.stream()
                        .flatMap(each -> List.of(each, each).stream())
                        .toList());
    }

    @Test
    void whatCannotBeComparedIsRefusedByName() throws Exception {
        for (String wrong : List.of(
                "year = 3",
                "n = 'x'",
                "lang > 3",
                "third = 1",
                "label = true",
                "l = 3",
                "l is null",
                "day > 3",
                "day > 'soon'",
                "moment = '2026-11-30T00:00:00Z'")) {
            assertThatExceptionOfType(FormatException.class)
                    .as(wrong)
                    .isThrownBy(() -> rows(wrong))
                    .withMessageContaining("the filter");
        }
        Path lines = Files.writeString(folder.resolve("a.jsonl"), "{\"n\": 1}\n");
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> Shards.open(storage, lines.toString(), where("n = 1"), pool))
                .withMessageContaining("cannot be filtered");
    }

    @Test
    void aNanIsUnequalToAllAndNothingElse() throws Exception {
        Path floats;
        try (DuckDb duck = new DuckDb()) {
            floats = duck.write(
                    "SELECT range AS n, '' AS ballast, CASE range WHEN 0 THEN 'NaN'::DOUBLE WHEN 1 THEN 'inf'::DOUBLE WHEN 2 THEN NULL"
                            + " WHEN 3 THEN -0.0 ELSE 3.0 END AS x FROM range(5)",
                    folder.resolve("nan.parquet"),
                    "");
        }
        table = floats;

        assertThat(rows("x != 3")).containsExactly(0L, 1L, 3L);
        assertThat(rows("not x = 3")).containsExactly(0L, 1L, 3L);
        assertThat(rows("x > 3")).containsExactly(1L);
        assertThat(rows("not x <= 3")).containsExactly(0L, 1L);
        assertThat(rows("x = 0 or x is null")).containsExactly(2L, 3L);
        assertThat(rows("x < 0")).isEmpty();
    }

    @Test
    void foldersAreComparedAsTheFieldsThatTheyAre() throws Exception {
        Path whole = folder.resolve("table");
        List<String> expected;
        try (DuckDb duck = new DuckDb()) {
            duck.write(
                    "SELECT range AS n, 2020 + range % 3 AS year,"
                            + " CASE range % 4 WHEN 0 THEN 'a/b' WHEN 1 THEN NULL ELSE 'ü x' END AS lang FROM range(40)",
                    whole, ", PARTITION_BY (year, lang)");
            expected = duck.column("SELECT n::VARCHAR FROM read_parquet('" + whole
                    + "/**/*.parquet', hive_partitioning = true) WHERE year >= 2021 AND NOT (lang = 'a/b' AND n > 9)"
                    + " ORDER BY n");
        }
        List<Long> read = rows(
                Shards.open(
                        storage, whole.toString(), where("year >= 2021 and not (lang = 'a/b' and n > 9)", "n"), pool),
                Position.START,
                new ArrayList<>());

        assertThat(expected).isNotEmpty();
        assertThat(read.stream().sorted().map(String::valueOf)).isEqualTo(expected);
    }

    private ShardStream<ShardSample> shuffled(String filter) throws Exception {
        return Shards.open(storage, folder.toString(), where(filter, "n"), pool)
                .shuffled(7)
                .window(50);
    }

    private static Pipeline<Long> numbers(Source<ShardSample> source) {
        return Pipeline.from(source).map(sample -> {
            try (sample) {
                return sample.number("n");
            }
        });
    }

    @Test
    void aShuffledOrderOfThemGoesOnFromACheckpointWhereItStood() throws Exception {
        Files.copy(table, folder.resolve("u.parquet"));
        String filter = "label = 3 and n < 5000";
        List<Long> once = rows(filter);
        List<Long> whole = new ArrayList<>();
        try (Run<Long> run = numbers(shuffled(filter)).start()) {
            run.forEach(whole::add);
        }
        assertThat(whole)
                .hasSize(2 * once.size())
                .isNotEqualTo(whole.stream().sorted().toList())
                .hasSameElementsAs(once);

        for (int taken : new int[] {1, 77, whole.size() - 3}) {
            List<Long> seen = new ArrayList<>();
            Checkpoint state;
            try (Run<Long> run = numbers(shuffled(filter)).start()) {
                Iterator<Long> items = run.iterator();
                while (seen.size() < taken) {
                    seen.add(items.next());
                }
                state = Checkpoint.parse(run.checkpoint().toJson());
            }
            try (Run<Long> run =
                    numbers(shuffled(filter)).start(RunOptions.defaults().resumeFrom(state))) {
                run.forEach(seen::add);
            }
            assertThat(seen).as("%d before", taken).isEqualTo(whole);

            for (String other : List.of("label = 3 and n < 5001", "label = 4 and n < 5000")) {
                assertThatThrownBy(() -> numbers(shuffled(other))
                                .start(RunOptions.defaults().resumeFrom(state))
                                .close())
                        .hasMessageContaining("recipe has changed")
                        .hasMessageContaining("where " + RowFilter.parse(filter))
                        .hasMessageContaining("where " + RowFilter.parse(other));
            }
        }
        try (Run<Long> run = numbers(Shards.open(
                                storage,
                                folder.toString(),
                                ShardOptions.defaults().columns("n"),
                                pool)
                        .shuffled(7)
                        .window(50))
                .start()) {
            run.iterator().next();
            Checkpoint unfiltered = run.checkpoint();
            assertThatThrownBy(() -> numbers(shuffled(filter))
                            .start(RunOptions.defaults().resumeFrom(unfiltered))
                            .close())
                    .hasMessageContaining("recipe has changed");
        }
    }
}
