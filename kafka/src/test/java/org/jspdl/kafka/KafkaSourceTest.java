package org.jspdl.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspdl.pipeline.Checkpoint;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.Source;
import org.jspdl.source.Sources;
import org.jspdl.testkit.SourceConformance;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Against Kafka itself, which takes a minute or two.
@Tag("campaign")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KafkaSourceTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private KafkaBroker broker;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        broker = KafkaBroker.start(folder);
        topic("conformance", 3, Map.of());
        send("conformance", 3, 0, 50);
    }

    @AfterAll
    void stop() throws InterruptedException {
        if (broker != null) {
            broker.kill();
        }
    }

    private void topic(String name, int partitions, Map<String, String> settings) throws Exception {
        try (Admin admin = broker.admin()) {
            admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1).configs(settings)))
                    .all()
                    .get();
            awaitLeaders(admin, name, partitions);
        }
    }

    /// A topic is made before the broker knows of it, and leads its partitions; what is sent meanwhile may be lost.
    private static void awaitLeaders(Admin admin, String name, int partitions) throws Exception {
        Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
        for (int i = 0; i < partitions; i++) {
            ends.put(new TopicPartition(name, i), OffsetSpec.latest());
        }
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                admin.listOffsets(ends).all().get();
                return;
            } catch (ExecutionException notYet) {
                if (!(notYet.getCause() instanceof RetriableException) || System.nanoTime() > end) {
                    throw notYet;
                }
            }
        }
    }

    private KafkaProducer<byte[], byte[]> producer(Map<String, Object> more) {
        Map<String, Object> all = new HashMap<>(broker.properties());
        all.putAll(more);
        return new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private void send(String topic, int partitions, int from, int to) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of("request.timeout.ms", "5000"))) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (int i = from; i < to; i++) {
                sent.add(producer.send(new ProducerRecord<>(topic, i % partitions, null, bytes(i))));
            }
            for (Future<RecordMetadata> each : sent) {
                each.get();
            }
        }
    }

    private static byte[] bytes(int number) {
        return Integer.toString(number).getBytes(UTF_8);
    }

    private static int number(KafkaRecord record) {
        return Integer.parseInt(new String(record.value().orElseThrow(), UTF_8));
    }

    private KafkaSource source(String topic) {
        return KafkaSource.of(broker.properties(), topic);
    }

    private static List<Integer> drain(Cursor<KafkaRecord> cursor) throws Exception {
        List<Integer> all = new ArrayList<>();
        while (cursor.advance()) {
            all.add(number(cursor.item()));
        }
        return all;
    }

    private static List<Integer> numbers(int to) {
        return IntStream.range(0, to).boxed().toList();
    }

    @Nested
    class Conformance extends SourceConformance<String> {
        @Override
        protected Source<String> source() {
            try {
                return Sources.map(
                        KafkaSourceTest.this.source("conformance").bounded(),
                        record -> record.where() + ": " + number(record));
            } catch (IOException | InterruptedException failure) {
                throw new IllegalStateException(failure);
            }
        }
    }

    @Test
    void aBoundedTopicIsReplayedFromAnyPositionWhateverComesLater() throws Exception {
        topic("bounded", 3, Map.of());
        send("bounded", 3, 0, 100);
        KafkaSource source = source("bounded").bounded();
        send("bounded", 3, 100, 200);

        List<Integer> whole = new ArrayList<>();
        List<Position> places = new ArrayList<>();
        try (Cursor<KafkaRecord> cursor = source.open(0, Position.START)) {
            while (cursor.advance()) {
                whole.add(number(cursor.item()));
                places.add(cursor.position());
            }
        }

        assertThat(whole).isEqualTo(numbers(100)); // the partitions take turns, as the producer did
        for (int i = 0; i < 100; i += 31) {
            try (Cursor<KafkaRecord> cursor = source("bounded").bounded().open(0, places.get(i))) {
                assertThat(drain(cursor)).isEqualTo(whole.subList(i + 1, 100));
            }
        }
    }

    @Test
    void keysHeadersAndTimesAreThoseThatWereSent() throws Exception {
        topic("fields", 1, Map.of());
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of("compression.type", "zstd"))) {
            var _ = producer.send(new ProducerRecord<>(
                    "fields",
                    0,
                    1_700_000_000_123L,
                    bytes(7),
                    null,
                    List.of(new RecordHeader("label", bytes(3)), new RecordHeader("none", (byte[]) null))));
        }
        try (Cursor<KafkaRecord> cursor = source("fields").bounded().open(0, Position.START)) {
            assertThat(cursor.advance()).isTrue();
            KafkaRecord record = cursor.item();
            assertThat(record.where()).isEqualTo("fields-0 at offset 0");
            assertThat(record.timestampMillis()).isEqualTo(1_700_000_000_123L);
            assertThat(record.key()).hasValueSatisfying(key -> assertThat(key).isEqualTo(bytes(7)));
            assertThat(record.value()).isEmpty();
            assertThat(record.headers()).hasSize(2);
            assertThat(record.headers().getFirst().name()).isEqualTo("label");
            assertThat(record.headers().getFirst().value().orElseThrow()).isEqualTo(bytes(3));
            assertThat(record.headers().getLast().value()).isEmpty();
        }
    }

    @Test
    void epochsBeginAtTheOffsetsThatAreGiven() throws Exception {
        topic("begins", 2, Map.of());
        send("begins", 2, 0, 20);
        try (Cursor<KafkaRecord> cursor =
                source("begins").from(Map.of(0, 8L, 1, 9L)).bounded().open(0, Position.START)) {
            assertThat(drain(cursor)).containsExactly(16, 19, 18);
        }
    }

    @Test
    void ranksShareThePartitions() throws Exception {
        topic("ranks", 3, Map.of());
        send("ranks", 3, 0, 90);
        KafkaSource source = source("ranks").bounded();
        List<Integer> all = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            try (Cursor<KafkaRecord> cursor = source.shard(rank, 2).open(0, Position.START)) {
                all.addAll(drain(cursor));
            }
        }
        assertThat(all).containsExactlyInAnyOrderElementsOf(numbers(90));
        try (Cursor<KafkaRecord> cursor = source.shard(4, 5).open(0, Position.START)) {
            assertThat(cursor.advance()).isFalse();
        }
        assertThatThrownBy(() -> source("ranks").shard(4, 5).open(0, Position.START))
                .hasMessageContaining("rank 4 of 5 would wait forever")
                .hasMessageContaining("which has 3");
    }

    private static Pipeline<Integer> loading(KafkaSource source) {
        // completion order: places of records that were overtaken are read again
        return Pipeline.from(source).pipe("number", KafkaSourceTest::number, StageOptions.cpu(3));
    }

    private static List<Integer> take(Run<Integer> run, int count) {
        List<Integer> taken = new ArrayList<>();
        Iterator<Integer> delivered = run.iterator();
        for (int i = 0; i < count; i++) {
            taken.add(delivered.next());
        }
        return taken;
    }

    @Test
    void aRunWithoutEndGoesOnWithWhatComesAndResumesWithoutRepeatOrLoss() throws Exception {
        topic("endless", 3, Map.of());
        send("endless", 3, 0, 40);
        List<Integer> all = new ArrayList<>();
        Checkpoint checkpoint = null;
        for (int part = 0; part < 4; part++) {
            RunOptions options = RunOptions.defaults();
            try (Run<Integer> run =
                    loading(source("endless")).start(checkpoint == null ? options : options.resumeFrom(checkpoint))) {
                all.addAll(take(run, 13));
                if (part == 1) {
                    send("endless", 3, 40, 52);
                }
                checkpoint = Checkpoint.parse(run.checkpoint().toJson());
            }
        }
        assertThat(all).containsExactlyInAnyOrderElementsOf(numbers(52));
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("kafka-admin") || name.contains("consumer"));
    }

    @Test
    void anotherNumberOfRanksTakesOverWhatIsLeft() throws Exception {
        topic("elastic", 4, Map.of());
        send("elastic", 4, 0, 100);
        KafkaSource source = source("elastic").bounded();
        List<Integer> all = new ArrayList<>();
        List<Checkpoint> left = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++) {
            try (Run<Integer> run = loading(source.shard(rank, 3)).start(RunOptions.defaults())) {
                all.addAll(take(run, 7 * rank)); // rank 0 has delivered nothing
                left.add(run.checkpoint());
            }
        }
        RunOptions options = RunOptions.defaults().resumeFrom(Checkpoint.combine(left));
        for (int rank = 0; rank < 2; rank++) {
            try (Run<Integer> run = loading(source.shard(rank, 2)).start(options)) {
                run.forEach(all::add);
            }
        }
        assertThat(all).containsExactlyInAnyOrderElementsOf(numbers(100));
    }

    @Test
    void partitionsThatAreAddedAreReadFromTheirBeginning() throws Exception {
        topic("grows", 1, Map.of());
        send("grows", 1, 0, 3);
        Map<String, String> eager = new HashMap<>(broker.properties());
        eager.put("metadata.max.age.ms", "200");
        List<Integer> all = new ArrayList<>();
        try (Cursor<KafkaRecord> cursor = KafkaSource.of(eager, "grows").open(0, Position.START)) {
            for (int i = 0; i < 5; i++) {
                assertThat(cursor.advance()).isTrue();
                all.add(number(cursor.item()));
                if (i == 1) {
                    try (Admin admin = broker.admin()) {
                        admin.createPartitions(Map.of("grows", NewPartitions.increaseTo(2)))
                                .all()
                                .get();
                    }
                    try (KafkaProducer<byte[], byte[]> producer = producer(Map.of("metadata.max.age.ms", "200"))) {
                        var _ = producer.send(new ProducerRecord<>("grows", 1, null, bytes(3)));
                        var _ = producer.send(new ProducerRecord<>("grows", 1, null, bytes(4)));
                    }
                }
            }
            assertThat(cursor.position().state()).endsWith(" 0=3 1=2");
        }
        assertThat(all).containsExactlyInAnyOrderElementsOf(numbers(5));
    }

    @Test
    void transactionsThatWereGivenUpAreLeftOutWhereOnlyCommittedRecordsAreWanted() throws Exception {
        topic("transactions", 1, Map.of());
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of("transactional.id", "t"))) {
            producer.initTransactions();
            for (int i = 0; i < 6; i++) {
                producer.beginTransaction();
                var _ = producer.send(new ProducerRecord<>("transactions", 0, null, bytes(i)));
                if (i % 2 == 0) {
                    producer.commitTransaction();
                } else {
                    producer.flush();
                    producer.abortTransaction();
                }
            }
        }
        Map<String, String> committed = new HashMap<>(broker.properties());
        committed.put("isolation.level", "read_committed");
        KafkaSource source = KafkaSource.of(committed, "transactions").bounded();
        List<Position> places = new ArrayList<>();
        try (Cursor<KafkaRecord> cursor = source.open(0, Position.START);
                Cursor<KafkaRecord> every = source("transactions").bounded().open(0, Position.START)) {
            while (cursor.advance()) {
                places.add(cursor.place().orElseThrow());
            }
            assertThat(drain(every)).containsExactly(0, 1, 2, 3, 4, 5);
        }
        assertThat(places).hasSize(3);
        try (Cursor<KafkaRecord> cursor = source.open(0, places.get(1))) {
            assertThat(drain(cursor)).containsExactly(2, 4);
        }
    }

    /// Records of odd numbers share a key, so that compaction keeps the last of them alone.
    private void sendKeyed(String topic, int from, int to, long timestampMillis) {
        try (KafkaProducer<byte[], byte[]> producer = producer(Map.of())) {
            for (int i = from; i < to; i++) {
                byte[] key = bytes(i % 2 == 0 ? i : -1);
                var _ = producer.send(new ProducerRecord<>(topic, 0, timestampMillis, key, bytes(i)));
            }
        }
    }

    private static List<Integer> drain(KafkaSource source, Position from) throws Exception {
        try (Cursor<KafkaRecord> cursor = source.open(0, from)) {
            return drain(cursor);
        }
    }

    @Test
    void gapsThatCompactionLeavesArePassedOverUnlessARecordThatWasUnderWayIsGone() throws Exception {
        topic(
                "gaps",
                1,
                Map.of("cleanup.policy", "compact", "min.cleanable.dirty.ratio", "0.01", "segment.ms", "1000"));
        long begin = 1_700_000_000_000L;
        sendKeyed("gaps", 0, 20, begin);
        KafkaSource early = source("gaps").bounded();
        List<Position> places = new ArrayList<>();
        List<Position> behind = new ArrayList<>();
        try (Cursor<KafkaRecord> cursor = early.open(0, Position.START)) {
            while (cursor.advance()) {
                places.add(cursor.place().orElseThrow());
                behind.add(cursor.position());
            }
        }
        assertThat(places).hasSize(20);

        // times that are apart begin segments, and all of them but the last are compacted
        sendKeyed("gaps", 20, 22, begin + 3_600_000);
        sendKeyed("gaps", 22, 23, begin + 7_200_000);
        List<Integer> even = IntStream.range(0, 10).map(i -> 2 * i).boxed().toList();
        List<Integer> kept = new ArrayList<>(even);
        kept.addAll(List.of(20, 21, 22));
        long end = System.nanoTime() + Duration.ofMinutes(2).toNanos();
        List<Integer> now = drain(source("gaps").bounded(), Position.START);
        while (!now.equals(kept)) {
            assertThat(System.nanoTime()).as("compacted to %s", now).isLessThan(end);
            now = drain(source("gaps").bounded(), Position.START);
        }

        // the end of the early source, 20, lies in a gap
        assertThat(drain(early, Position.START)).isEqualTo(even);
        assertThat(drain(early, places.get(4))).isEqualTo(even.subList(2, 10));
        assertThat(drain(early, behind.get(3))).isEqualTo(even.subList(2, 10));
        assertThat(drain(early, behind.get(19))).isEmpty();
        for (Position gone : List.of(places.get(5), behind.get(4))) {
            assertThatThrownBy(() -> drain(early, gone))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("gaps-0: the record at offset 5 was read before and is gone");
        }

        List<Integer> all = new ArrayList<>();
        Checkpoint checkpoint;
        try (Run<Integer> run = loading(source("gaps")).start(RunOptions.defaults())) {
            all.addAll(take(run, 5));
            checkpoint = Checkpoint.parse(run.checkpoint().toJson());
        }
        try (Run<Integer> run =
                loading(source("gaps")).start(RunOptions.defaults().resumeFrom(checkpoint))) {
            all.addAll(take(run, 8));
        }
        assertThat(all).containsExactlyInAnyOrderElementsOf(kept);
    }

    @Test
    void offsetsThatHaveExpiredAndTopicsThatWereMadeAnewAreErrorsByName() throws Exception {
        topic("short", 1, Map.of());
        send("short", 1, 0, 20);
        KafkaSource source = source("short").bounded();
        Position place;
        Position taken;
        try (Cursor<KafkaRecord> cursor = source.open(0, Position.START)) {
            assertThat(cursor.advance()).isTrue();
            place = cursor.position();
            taken = cursor.place().orElseThrow();
        }
        try (Admin admin = broker.admin()) {
            admin.deleteRecords(Map.of(new TopicPartition("short", 0), RecordsToDelete.beforeOffset(10)))
                    .all()
                    .get();
        }

        assertThatThrownBy(() -> source.open(0, place))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("short-0: the offset 1 has expired; the earliest that is kept is 10");
        assertThatThrownBy(() -> source.open(0, taken)).hasMessageContaining("short-0: the offset 0 has expired");
        assertThatThrownBy(() -> source("short").from(Map.of(0, 5L)).open(0, Position.START))
                .hasMessageContaining("the offset 5 has expired");
        assertThatThrownBy(() -> source("short").from(Map.of(0, 21L)).open(0, Position.START))
                .hasMessageContaining("short-0: the offset 21 lies behind the end, 20");
        assertThatThrownBy(() -> source("no-such").open(0, Position.START))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("there is no topic no-such");

        try (Admin admin = broker.admin()) {
            admin.deleteTopics(List.of("short")).all().get();
            admin.createTopics(List.of(new NewTopic("short-again", 1, (short) 1)))
                    .all()
                    .get();
        }
        send("short-again", 1, 0, 20);
        KafkaSource again = source("short-again");
        assertThatThrownBy(() -> again.open(0, place)).hasMessageContaining("was deleted and made anew");
    }

    @Test
    void aRecordThatIsTooLargeIsAnErrorByName() throws Exception {
        topic("large", 1, Map.of());
        send("large", 1, 1_000, 1_001);
        try (Cursor<KafkaRecord> cursor =
                source("large").maxRecordBytes(3).bounded().open(0, Position.START)) {
            assertThatThrownBy(cursor::advance)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("large-0 at offset 0: a record of 4 bytes; at most 3");
        }
    }

    @Test
    void aBrokerThatIsStartedAgainIsWaitedForAndOneThatStaysAwayEndsTheRun() throws Exception {
        topic("restart", 1, Map.of("max.message.bytes", "2000"));
        send("restart", 1, 0, 5);
        KafkaSource source = source("restart");
        try (Cursor<KafkaRecord> cursor = source.open(0, Position.START)) {
            for (int i = 0; i < 5; i++) {
                assertThat(cursor.advance()).isTrue();
            }
            broker.kill();
            assertThatThrownBy(() -> source.patience(Duration.ofMillis(500)).open(0, Position.START))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("the topic restart at 127.0.0.1:");
            broker.startAgain();
            send("restart", 1, 5, 6);
            assertThat(cursor.advance()).isTrue();
            assertThat(number(cursor.item())).isEqualTo(5);
        }
    }

    @Test
    void aRunThatWaitsIsClosedAtOnce() throws Exception {
        topic("silent", 1, Map.of());
        send("silent", 1, 0, 1);
        try (Run<Integer> run = loading(source("silent")).start(RunOptions.defaults())) {
            assertThat(take(run, 1)).containsExactly(0);
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("kafka-admin") || name.contains("consumer"));
    }
}
