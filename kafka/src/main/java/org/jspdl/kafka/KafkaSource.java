package org.jspdl.kafka;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspdl.kafka.Offsets.Share;
import org.jspdl.kafka.Offsets.Single;
import org.jspdl.source.Cursor;
import org.jspdl.source.ElasticSource;
import org.jspdl.source.Position;

/// The records of a Kafka topic. Positions are offsets, kept in the run's checkpoint and not by the broker: a run that
/// is resumed goes on behind what it delivered, without a repeat or a loss. No group of consumers is joined and nothing
/// is committed.
///
/// Records of a partition come in their order. A [#bounded] source has an end; its partitions take turns, a record
/// each, so the same records come in the same order each time. Without an end the source waits for records
/// indefinitely and yields them as they come; partitions that are added are read from their beginning.
///
/// A rank reads the partitions whose number leaves it as the remainder of a division by the number of ranks. Any other
/// number of ranks can take over what is left.
///
/// No record is passed over silently: offsets that have expired, a topic that was made anew, and records that were
/// removed after they were read and before they were delivered are errors that name the offset. What compaction
/// removes before it is read does not come. Immutable; every cursor has a connection of its own.
public final class KafkaSource implements ElasticSource<KafkaRecord> {
    private final TopicSettings settings;
    private final Share share;
    private final boolean live;
    private final Map<Integer, Long> begins;
    private final Map<Integer, Long> ends;
    private final Map<Long, List<String>> shares;

    private KafkaSource(
            TopicSettings settings,
            Share share,
            boolean live,
            Map<Integer, Long> begins,
            Map<Integer, Long> ends,
            Map<Long, List<String>> shares) {
        this.settings = settings;
        this.share = share;
        this.live = live;
        this.begins = Map.copyOf(begins);
        this.ends = Map.copyOf(ends);
        this.shares = Map.copyOf(shares);
    }

    /// All records of `topic` that the broker still has, and those to come.
    ///
    /// @param properties of the consumer, such as `bootstrap.servers` and those of TLS and SASL;
    ///     `isolation.level=read_committed` leaves out records of transactions that are open or were given up.
    ///     Those of groups have no effect.
    public static KafkaSource of(Map<String, String> properties, String topic) {
        return new KafkaSource(
                new TopicSettings(properties, topic, 16 << 20, Duration.ofMinutes(5)),
                new Share(0, 1),
                true,
                Map.of(),
                Map.of(),
                Map.of());
    }

    /// The same, up to the records that there are now. Asks the broker.
    ///
    /// A position holds these ends, too: a run that is resumed reads to where it would have read.
    public KafkaSource bounded() throws IOException, InterruptedException {
        return settings.asking(consumer -> {
            TopicFacts facts = TopicFacts.of(consumer, settings);
            Map<Integer, Long> now = new TreeMap<>();
            facts.partitions().forEach((partition, range) -> now.put(partition, range.end()));
            return new KafkaSource(settings, share, false, begins, now, shares);
        });
    }

    /// The same, with epochs that begin at these offsets; partitions that are not named begin at their first
    /// record. Opening it fails if one of them has expired.
    public KafkaSource from(Map<Integer, Long> offsets) {
        offsets.forEach((partition, offset) -> {
            if (partition < 0 || offset < 0) {
                throw new IllegalArgumentException("partition " + partition + " can't begin at offset " + offset);
            }
        });
        return new KafkaSource(settings, share, live, offsets, ends, shares);
    }

    /// The same, without the partitions of other ranks.
    public KafkaSource shard(int rank, int worldSize) {
        if (worldSize < 1 || rank < 0 || rank >= worldSize) {
            throw new IllegalArgumentException(
                    "rank must be at least 0 and below worldSize, but was " + rank + " of " + worldSize);
        }
        return new KafkaSource(settings, new Share(rank, worldSize), live, begins, ends, shares);
    }

    /// The same, with key, value and headers of at most `bytes` together (16 MiB by default); a larger record is an
    /// error. It was received by then: what a broker sends is bounded by its `message.max.bytes`.
    public KafkaSource maxRecordBytes(int bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("maxRecordBytes must be at least 1 but was " + bytes);
        }
        return new KafkaSource(settings.maxRecordBytes(bytes), share, live, begins, ends, shares);
    }

    /// The same, waiting this long (5 minutes by default) for brokers that do not answer, as while they are
    /// restarted.
    public KafkaSource patience(Duration time) {
        if (!time.isPositive()) {
            throw new IllegalArgumentException("patience must be positive but was " + time);
        }
        return new KafkaSource(settings.patience(time), share, live, begins, ends, shares);
    }

    @Override
    public String identity() {
        return "records of the topic " + settings.topic() + (live ? "" : ", up to an end");
    }

    @Override
    public int rank() {
        return share.rank();
    }

    @Override
    public int worldSize() {
        return share.worldSize();
    }

    /// Opens it; waits for brokers as long as [#patience] says.
    ///
    /// @throws IOException if the topic is not there, or does not have what the position needs
    @Override
    public Cursor<KafkaRecord> open(long epoch, Position from) throws IOException, InterruptedException {
        KafkaConsumer<byte[], byte[]> consumer = settings.consumer();
        try {
            TopicFacts facts = TopicFacts.of(consumer, settings);
            Offsets offsets = from.equals(Position.START) ? start(facts, epoch) : Offsets.parse(from.state());
            facts.require(offsets);
            Offsets all = facts.withNew(offsets);
            if (live && all.next().isEmpty()) {
                throw new IOException("rank " + share.rank() + " of " + share.worldSize()
                        + " would wait forever: it has none of the partitions of the topic " + settings.topic()
                        + ", which has " + facts.partitions().size() + "; use no more ranks than partitions");
            }
            return new TopicCursor(consumer, settings, all, from.index());
        } catch (InterruptException interrupted) {
            TopicSettings.close(consumer);
            throw TopicSettings.interrupted(interrupted);
        } catch (KafkaException failure) {
            TopicSettings.close(consumer);
            throw settings.failure(failure);
        } catch (IOException | RuntimeException failure) {
            TopicSettings.close(consumer);
            throw failure;
        }
    }

    private Offsets start(TopicFacts facts, long epoch) {
        List<String> texts = shares.getOrDefault(epoch, List.of());
        if (!texts.isEmpty()) {
            return part(Offsets.parse(texts.getLast()), share);
        }
        return fresh(facts, share);
    }

    private Offsets fresh(TopicFacts facts, Share whose) {
        Map<Integer, Long> next = new TreeMap<>();
        Map<Integer, Long> last = new TreeMap<>();
        for (Map.Entry<Integer, TopicFacts.Range> each : facts.partitions().entrySet()) {
            int partition = each.getKey();
            // a partition that was added after the ends were taken belongs to a later epoch
            if (whose.has(partition) && (live || ends.containsKey(partition))) {
                next.put(
                        partition,
                        begins.getOrDefault(partition, each.getValue().begin()));
                if (!live) {
                    last.put(partition, ends.getOrDefault(partition, 0L));
                }
            }
        }
        return new Offsets(facts.topicId(), whose, live, whose.rank(), false, next, last, List.of());
    }

    @Override
    public KafkaSource sharing(Map<Long, List<String>> newShares) {
        return new KafkaSource(settings, share, live, begins, ends, newShares);
    }

    @Override
    public String owner(Position place) {
        return place.equals(Position.START)
                ? share.toString()
                : Offsets.parse(place.state()).share().toString();
    }

    /// What all ranks have left is one place of all partitions, and the records that were under way, one by one.
    @Override
    public List<String> share(long epoch, List<Left> left, List<Position> apart)
            throws IOException, InterruptedException {
        Map<Integer, Long> next = new TreeMap<>();
        Map<Integer, Long> last = new TreeMap<>();
        List<Single> single = new ArrayList<>();
        String topicId = "";
        for (int rank = 0; rank < left.size(); rank++) {
            Left of = left.get(rank);
            for (Position place : of.pending()) {
                Offsets offsets = place(epoch, place, new Share(rank, left.size()));
                single.add(first(offsets, place));
                topicId = offsets.topicId();
            }
            if (of.next() != null) {
                Offsets offsets = place(epoch, of.next(), new Share(rank, left.size()));
                next.putAll(offsets.next());
                last.putAll(offsets.ends());
                single.addAll(offsets.single());
                topicId = offsets.topicId();
            }
        }
        List<String> texts = new ArrayList<>();
        shares.getOrDefault(epoch, List.of()).forEach(_ -> texts.add(""));
        texts.add(new Offsets(topicId, new Share(0, 1), live, 0, false, next, last, single).text());
        return texts;
    }

    private Offsets place(long epoch, Position place, Share whose) throws IOException, InterruptedException {
        if (!place.equals(Position.START)) {
            return Offsets.parse(place.state());
        }
        List<String> texts = shares.getOrDefault(epoch, List.of());
        return texts.isEmpty()
                ? settings.asking(consumer -> fresh(TopicFacts.of(consumer, settings), whose))
                : part(Offsets.parse(texts.getLast()), whose);
    }

    private static Single first(Offsets offsets, Position place) {
        if (!offsets.single().isEmpty()) {
            return offsets.single().getFirst();
        }
        Long offset = offsets.next().get(offsets.turn());
        if (!offsets.exact() || offset == null) {
            throw new IllegalArgumentException(place + " is no place of a single record");
        }
        return new Single(offsets.turn(), offset);
    }

    /// What one of the new ranks gets.
    private static Offsets part(Offsets whole, Share whose) {
        Map<Integer, Long> next = new HashMap<>(whole.next());
        next.keySet().removeIf(partition -> !whose.has(partition));
        Map<Integer, Long> ends = new HashMap<>(whole.ends());
        ends.keySet().removeIf(partition -> !whose.has(partition));
        List<Single> single = whole.single().stream()
                .filter(each -> whose.has(each.partition()))
                .toList();
        return new Offsets(whole.topicId(), whose, whole.live(), whose.rank(), false, next, ends, single);
    }
}
