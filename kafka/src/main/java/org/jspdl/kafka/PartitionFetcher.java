package org.jspdl.kafka;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// Records that have come and wait, by partition. A partition of which records wait is not asked for more, so at most
/// one answer waits for each. Owns the consumer; used by one thread.
final class PartitionFetcher {
    private static final Duration POLL = Duration.ofMillis(500);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final TopicSettings settings;
    private final Offsets offsets;
    private final Map<Integer, ArrayDeque<ConsumerRecord<byte[], byte[]>>> waiting = new HashMap<>();
    private final Map<Integer, Long> passed = new HashMap<>();
    private long lastAnswer = System.nanoTime();
    private Offsets.@Nullable Single sought;

    PartitionFetcher(KafkaConsumer<byte[], byte[]> consumer, TopicSettings settings, Offsets offsets) {
        this.consumer = consumer;
        this.settings = settings;
        this.offsets = offsets;
    }

    /// Goes on with all partitions, each from its offset.
    void seek(Map<Integer, Long> next) {
        waiting.clear();
        sought = null;
        consumer.assign(next.keySet().stream().map(this::named).toList());
        next.forEach((partition, offset) -> {
            consumer.seek(named(partition), offset);
            passed.put(partition, offset);
        });
        lastAnswer = System.nanoTime();
    }

    private TopicPartition named(int partition) {
        return new TopicPartition(settings.topic(), partition);
    }

    /// The first record of a partition that waits.
    @Nullable
    ConsumerRecord<byte[], byte[]> first(int partition) {
        ArrayDeque<ConsumerRecord<byte[], byte[]>> queue = waiting.get(partition);
        return queue == null ? null : queue.peekFirst();
    }

    void removeFirst(int partition) {
        queue(partition).removeFirst();
    }

    private ArrayDeque<ConsumerRecord<byte[], byte[]>> queue(int partition) {
        return waiting.computeIfAbsent(partition, _ -> new ArrayDeque<>());
    }

    /// The offset before which nothing more of a partition comes. Marks of transactions take offsets, too.
    long passed(int partition) {
        return passed.getOrDefault(partition, 0L);
    }

    boolean isAtEnd(int partition) {
        Long end = offsets.ends().get(partition);
        return end != null && first(partition) == null && passed(partition) >= end;
    }

    /// Whether no partition has more to come.
    boolean isAtEnd() {
        return !offsets.live() && offsets.next().keySet().stream().allMatch(this::isAtEnd);
    }

    /// Asks for records of all partitions of which none wait, and waits for half a second.
    ///
    /// @param next where partitions that are new are added
    void fetch(Map<Integer, Long> next) throws IOException, InterruptedException {
        if (offsets.live()) {
            addPartitions(next);
        }
        List<TopicPartition> resting = new ArrayList<>();
        List<TopicPartition> wanted = new ArrayList<>();
        for (TopicPartition each : consumer.assignment()) {
            boolean rests = first(each.partition()) != null || isAtEnd(each.partition());
            (rests ? resting : wanted).add(each);
        }
        consumer.pause(resting);
        consumer.resume(wanted);
        poll();
    }

    /// Records of the partition of a single record wait until another one is wanted.
    @Nullable
    ConsumerRecord<byte[], byte[]> one(Offsets.Single wanted) throws IOException, InterruptedException {
        Offsets.Single before = sought;
        if (before == null || before.partition() != wanted.partition() || before.offset() >= wanted.offset()) {
            seek(Map.of(wanted.partition(), wanted.offset()));
        }
        sought = wanted;
        ArrayDeque<ConsumerRecord<byte[], byte[]>> queue = queue(wanted.partition());
        while (true) {
            ConsumerRecord<byte[], byte[]> record = queue.peekFirst();
            if (record != null && record.offset() >= wanted.offset()) {
                return record.offset() == wanted.offset() ? record : null;
            }
            if (record != null) {
                queue.removeFirst();
            } else if (passed(wanted.partition()) > wanted.offset()) {
                return null;
            } else {
                poll();
            }
        }
    }

    private void poll() throws IOException, InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        boolean answered = false;
        try {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                Long end = sought == null ? offsets.ends().get(record.partition()) : null;
                if (end == null || record.offset() < end) {
                    queue(record.partition()).add(record);
                }
                answered = true;
            }
        } catch (OffsetOutOfRangeException gone) {
            throw expired(gone);
        }
        for (TopicPartition each : consumer.assignment()) {
            long now = consumer.position(each, settings.patience());
            Long before = passed.put(each.partition(), now);
            answered |= before == null || before != now;
        }
        if (answered) {
            lastAnswer = System.nanoTime();
        } else if (System.nanoTime() - lastAnswer > silence()) {
            askWhetherTheyAreThere();
        }
    }

    private long silence() {
        return Math.min(settings.patience().toNanos(), Duration.ofSeconds(30).toNanos());
    }

    /// A topic without news is silent, and so are brokers that are gone.
    private void askWhetherTheyAreThere() throws IOException {
        Set<TopicPartition> all = consumer.assignment();
        try {
            consumer.endOffsets(all, settings.patience());
        } catch (org.apache.kafka.common.errors.TimeoutException nobody) {
            throw new IOException(
                    "the topic " + settings.topic() + ": the brokers at "
                            + settings.properties().get("bootstrap.servers") + " did not answer for "
                            + settings.patience().toSeconds()
                            + " s; a run that is resumed goes on from its checkpoint",
                    nobody);
        }
        lastAnswer = System.nanoTime();
    }

    private IOException expired(OffsetOutOfRangeException gone) {
        Map.Entry<TopicPartition, Long> first =
                gone.offsetOutOfRangePartitions().entrySet().iterator().next();
        Long earliest = consumer.beginningOffsets(Set.of(first.getKey()), settings.patience())
                .get(first.getKey());
        return new IOException(
                TopicFacts.expired(first.getKey().toString(), first.getValue(), String.valueOf(earliest)), gone);
    }

    /// Partitions that were added since the last look at the topic, which the client takes from time to time.
    private void addPartitions(Map<Integer, Long> next) {
        List<PartitionInfo> known = consumer.partitionsFor(settings.topic(), settings.patience());
        List<TopicPartition> added = new ArrayList<>();
        for (PartitionInfo each : known) {
            if (offsets.share().has(each.partition()) && !next.containsKey(each.partition())) {
                added.add(named(each.partition()));
            }
        }
        if (added.isEmpty()) {
            return;
        }
        Map<TopicPartition, Long> begin = consumer.beginningOffsets(added, settings.patience());
        List<TopicPartition> all = new ArrayList<>(consumer.assignment());
        all.addAll(added);
        consumer.assign(all);
        for (TopicPartition each : added) {
            long from = begin.getOrDefault(each, 0L);
            consumer.seek(each, from);
            next.put(each.partition(), from);
            passed.put(each.partition(), from);
        }
    }

    void close() {
        TopicSettings.close(consumer);
    }
}
