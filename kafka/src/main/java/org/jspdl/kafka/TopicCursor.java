package org.jspdl.kafka;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.header.Header;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspecify.annotations.Nullable;

/// The partitions of a rank, in turns. Owns the consumer.
///
/// Without an end a partition that has nothing yet is passed over. Which record comes next is not known then before it
/// is there, so the place of each record tells it exactly.
final class TopicCursor implements Cursor<KafkaRecord> {
    private final TopicSettings settings;
    private final PartitionFetcher fetcher;
    private final Offsets begin;
    private final TreeMap<Integer, Long> next;
    private final ArrayDeque<Offsets.Single> single;
    private int turn;
    /// The partition whose next record has to be at its offset; -1 if the next record is not known.
    private int exact;

    private long index;
    private @Nullable KafkaRecord item;
    private @Nullable Position place;
    private @Nullable Position position;

    /// @param offsets are checked
    /// @param index   how many records of the epoch lie before
    TopicCursor(KafkaConsumer<byte[], byte[]> consumer, TopicSettings settings, Offsets offsets, long index) {
        this.settings = settings;
        this.begin = offsets;
        this.next = new TreeMap<>(offsets.next());
        this.single = new ArrayDeque<>(offsets.single());
        this.turn = offsets.turn();
        this.exact = offsets.exact() && single.isEmpty() ? turn : -1;
        this.index = index;
        this.fetcher = new PartitionFetcher(consumer, settings, offsets);
        if (single.isEmpty()) {
            fetcher.seek(next);
        }
    }

    @Override
    public boolean advance() throws IOException, InterruptedException {
        item = null;
        try {
            ConsumerRecord<byte[], byte[]> record = single.isEmpty() ? chosen() : alone(single.getFirst());
            if (record == null) {
                return false;
            }
            KafkaRecord made = made(record);
            place = place(record);
            moveBehind(record);
            item = made;
            position = null;
            return true;
        } catch (InterruptException interrupted) {
            throw TopicSettings.interrupted(interrupted);
        } catch (KafkaException failure) {
            throw settings.failure(failure);
        }
    }

    /// The next record, waited for; null at the end.
    private @Nullable ConsumerRecord<byte[], byte[]> chosen() throws IOException, InterruptedException {
        int partition = choice();
        while (partition < 0) {
            if (fetcher.isAtEnd()) {
                return null;
            }
            fetcher.fetch(next);
            requireNotGone();
            partition = choice();
        }
        ConsumerRecord<byte[], byte[]> record = fetcher.first(partition);
        if (record != null && exact >= 0) {
            requireExact(record, next.getOrDefault(exact, 0L));
        }
        return record;
    }

    /// The partition whose record is next; negative if it is not known yet.
    private int choice() {
        if (exact >= 0) {
            return fetcher.first(exact) == null ? -1 : exact;
        }
        for (int partition : next.tailMap(turn).keySet()) {
            if (fetcher.first(partition) != null) {
                return partition;
            }
            if (!begin.live() && !fetcher.isAtEnd(partition)) {
                return -1; // its turn: the others wait
            }
        }
        for (int partition : next.headMap(turn).keySet()) {
            if (fetcher.first(partition) != null) {
                return partition;
            }
            if (!begin.live() && !fetcher.isAtEnd(partition)) {
                return -1;
            }
        }
        return -1;
    }

    private void requireNotGone() throws IOException {
        if (exact >= 0 && fetcher.first(exact) == null) {
            long offset = next.getOrDefault(exact, 0L);
            if (fetcher.passed(exact) > offset) {
                throw gone(exact, offset);
            }
        }
    }

    private void requireExact(ConsumerRecord<byte[], byte[]> record, long offset) throws IOException {
        if (record.offset() != offset) {
            throw gone(record.partition(), offset);
        }
    }

    private IOException gone(int partition, long offset) {
        return new IOException(settings.topic() + "-" + partition + ": the record at offset " + offset
                + " was read before and is gone: compaction has removed it, or isolation.level has changed. What was"
                + " under way then can't be read again; begin anew, or from the offsets behind it");
    }

    private ConsumerRecord<byte[], byte[]> alone(Offsets.Single wanted) throws IOException, InterruptedException {
        ConsumerRecord<byte[], byte[]> record = fetcher.one(wanted);
        if (record == null) {
            throw gone(wanted.partition(), wanted.offset());
        }
        return record;
    }

    private KafkaRecord made(ConsumerRecord<byte[], byte[]> record) throws IOException {
        long bytes = Math.max(0, record.serializedKeySize()) + (long) Math.max(0, record.serializedValueSize());
        List<KafkaRecord.Header> headers = new ArrayList<>();
        for (Header header : record.headers()) {
            bytes += 2L * header.key().length() + (header.value() == null ? 0 : header.value().length);
            headers.add(new KafkaRecord.Header(header.key(), Optional.ofNullable(header.value())));
        }
        if (bytes > settings.maxRecordBytes()) {
            throw new IOException(String.format(
                    Locale.ROOT,
                    "%s-%d at offset %d: a record of %,d bytes; at most %,d are allowed (maxRecordBytes)",
                    settings.topic(),
                    record.partition(),
                    record.offset(),
                    bytes,
                    settings.maxRecordBytes()));
        }
        return new KafkaRecord(
                record.topic(),
                record.partition(),
                record.offset(),
                record.timestamp(),
                Optional.ofNullable(record.key()),
                Optional.ofNullable(record.value()),
                headers);
    }

    private Position place(ConsumerRecord<byte[], byte[]> record) {
        Position known = position;
        if (known != null && (!single.isEmpty() || isDecided())) {
            return known; // equal, so that a run that reads places again goes on from one to the next
        }
        return single.isEmpty() ? at(record.partition(), record.offset()) : here();
    }

    /// Whether the next record was there already when the present position was made.
    private boolean isDecided() {
        Position known = position;
        return known != null && known.state().contains("!");
    }

    private void moveBehind(ConsumerRecord<byte[], byte[]> record) {
        index++;
        if (!single.isEmpty()) {
            single.removeFirst();
            if (single.isEmpty()) {
                fetcher.seek(next);
            }
            return;
        }
        fetcher.removeFirst(record.partition());
        next.put(record.partition(), record.offset() + 1);
        turn = record.partition() + 1;
        exact = -1;
    }

    @Override
    public KafkaRecord item() {
        KafkaRecord current = item;
        if (current == null) {
            throw new IllegalStateException("there is no current record; call advance() first");
        }
        return current;
    }

    @Override
    public Position position() {
        Position known = position;
        if (known == null) {
            known = single.isEmpty() ? decided() : here();
            position = known;
        }
        return known;
    }

    @Override
    public Optional<Position> place() {
        return Optional.ofNullable(place);
    }

    private Position decided() {
        int partition = choice();
        ConsumerRecord<byte[], byte[]> record = partition < 0 ? null : fetcher.first(partition);
        return record == null || exact >= 0 ? here() : at(partition, record.offset());
    }

    /// The place of a record of a partition.
    private Position at(int partition, long offset) {
        Map<Integer, Long> moved = new TreeMap<>(next);
        moved.put(partition, offset);
        return offsets(partition, true, moved).position(index);
    }

    private Position here() {
        return offsets(turn, exact >= 0 || !single.isEmpty(), next).position(index);
    }

    private Offsets offsets(int first, boolean isExact, Map<Integer, Long> from) {
        return new Offsets(
                begin.topicId(), begin.share(), begin.live(), first, isExact, from, begin.ends(), List.copyOf(single));
    }

    @Override
    public void close() {
        fetcher.close();
    }
}
