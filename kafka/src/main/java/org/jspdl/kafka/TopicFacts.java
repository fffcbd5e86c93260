package org.jspdl.kafka;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/// What there is of a topic at a moment.
///
/// @param partitions by number, sorted
record TopicFacts(String topic, String topicId, Map<Integer, Range> partitions) {

    /// @param begin the first offset that was not removed
    /// @param end   behind the last one that may be read
    record Range(long begin, long end) {}

    /// Asks brokers.
    static TopicFacts of(KafkaConsumer<byte[], byte[]> consumer, TopicSettings settings)
            throws IOException, InterruptedException {
        TopicDescription topic = describe(settings);
        List<TopicPartition> all = topic.partitions().stream()
                .map(each -> new TopicPartition(settings.topic(), each.partition()))
                .toList();
        Map<TopicPartition, Long> begin = consumer.beginningOffsets(all, settings.patience());
        Map<TopicPartition, Long> end = consumer.endOffsets(all, settings.patience());
        Map<Integer, Range> ranges = new TreeMap<>();
        for (TopicPartition each : all) {
            Long from = begin.get(each);
            Long to = end.get(each);
            if (from == null || to == null) {
                throw new IOException(each + ": the brokers do not say which offsets there are");
            }
            ranges.put(each.partition(), new Range(from, to));
        }
        return new TopicFacts(settings.topic(), topic.topicId().toString(), ranges);
    }

    private static TopicDescription describe(TopicSettings settings) throws IOException, InterruptedException {
        Map<String, Object> all = new HashMap<>(settings.properties());
        all.putAll(settings.asked());
        try (Admin admin = Admin.create(all)) {
            return Objects.requireNonNull(admin.describeTopics(List.of(settings.topic()))
                            .topicNameValues()
                            .get(settings.topic()))
                    .get();
        } catch (ExecutionException failure) {
            Throwable cause = Objects.requireNonNullElse(failure.getCause(), failure);
            if (cause instanceof UnknownTopicOrPartitionException) {
                throw new IOException(
                        "there is no topic " + settings.topic() + " at "
                                + settings.properties().get("bootstrap.servers") + ", or you may not see it",
                        failure);
            }
            throw new IOException(
                    "the topic " + settings.topic() + " at "
                            + settings.properties().get("bootstrap.servers") + ": " + cause.getMessage(),
                    failure);
        }
    }

    /// Fails if what is to be read from `offsets` on is not there.
    void require(Offsets offsets) throws IOException {
        if (!offsets.topicId().equals(topicId)) {
            throw new IOException("the topic " + topic + " was deleted and made anew since the position was taken: its"
                    + " id was " + offsets.topicId() + " and is " + topicId + "; begin anew");
        }
        for (Map.Entry<Integer, Long> each : offsets.next().entrySet()) {
            Range range = range(each.getKey());
            Long end = offsets.ends().get(each.getKey());
            if (end == null || each.getValue() < end) {
                requireKept(each.getKey(), each.getValue(), range);
            }
            long last = Math.max(each.getValue(), end == null ? 0 : end);
            if (last > range.end()) {
                throw new IOException(topic + "-" + each.getKey() + ": the offset " + last + " lies behind the end, "
                        + range.end() + "; the brokers have lost records, or show fewer (isolation.level)");
            }
        }
        for (Offsets.Single each : offsets.single()) {
            requireKept(each.partition(), each.offset(), range(each.partition()));
        }
    }

    private Range range(int partition) throws IOException {
        Range range = partitions.get(partition);
        if (range == null) {
            throw new IOException("the topic " + topic + " has no partition " + partition + " any more; begin anew");
        }
        return range;
    }

    private void requireKept(int partition, long offset, Range range) throws IOException {
        if (offset < range.begin()) {
            throw new IOException(expired(topic + "-" + partition, offset, Long.toString(range.begin())));
        }
    }

    static String expired(String partition, long offset, String earliest) {
        return partition + ": the offset " + offset + " has expired; the earliest that is kept is " + earliest
                + ", and those between are lost. Begin anew, and let the topic keep its records longer (retention.ms)";
    }

    /// The same, with partitions that were added since.
    Offsets withNew(Offsets offsets) {
        if (!offsets.live()) {
            return offsets;
        }
        Map<Integer, Long> next = new TreeMap<>(offsets.next());
        partitions.forEach((partition, range) -> {
            if (offsets.share().has(partition)) {
                next.putIfAbsent(partition, range.begin());
            }
        });
        return new Offsets(
                offsets.topicId(),
                offsets.share(),
                true,
                offsets.turn(),
                offsets.exact(),
                next,
                Map.of(),
                offsets.single());
    }
}
