package org.jspdl.kafka;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/// How a topic is asked. Immutable.
record TopicSettings(Map<String, String> properties, String topic, int maxRecordBytes, Duration patience) {
    private static final Duration CLOSING = Duration.ofSeconds(5);

    TopicSettings {
        properties = Map.copyOf(properties);
    }

    TopicSettings maxRecordBytes(int bytes) {
        return new TopicSettings(properties, topic, bytes, patience);
    }

    TopicSettings patience(Duration time) {
        return new TopicSettings(properties, topic, maxRecordBytes, time);
    }

    /// What is done with a consumer.
    interface Question<T> {
        T ask(KafkaConsumer<byte[], byte[]> consumer) throws IOException, InterruptedException;
    }

    /// Opens a consumer for one question.
    <T> T asking(Question<T> question) throws IOException, InterruptedException {
        KafkaConsumer<byte[], byte[]> consumer = consumer();
        try {
            return question.ask(consumer);
        } catch (InterruptException interrupted) {
            throw interrupted(interrupted);
        } catch (KafkaException failure) {
            throw failure(failure);
        } finally {
            close(consumer);
        }
    }

    /// Without a group it has no thread of its own.
    KafkaConsumer<byte[], byte[]> consumer() throws IOException {
        Map<String, Object> all = new HashMap<>();
        all.put("metadata.max.age.ms", "30000"); // how soon added partitions are seen
        all.putAll(properties);
        all.put("enable.auto.commit", "false");
        all.put("auto.offset.reset", "none");
        all.put("allow.auto.create.topics", "false");
        all.put("group.protocol", "classic");
        all.remove("group.id");
        all.remove("group.instance.id");
        all.remove("group.remote.assignor");
        all.putAll(asked());
        try {
            return new KafkaConsumer<>(all, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        } catch (KafkaException refused) {
            throw failure(refused);
        }
    }

    /// How long one call waits for brokers.
    Map<String, Object> asked() {
        long millis = Math.clamp(patience.toMillis(), 1, Integer.MAX_VALUE);
        return Map.of(
                "default.api.timeout.ms",
                Long.toString(millis),
                "request.timeout.ms",
                Long.toString(Math.min(millis, 30_000)));
    }

    IOException failure(KafkaException failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        return new IOException(
                "the topic " + topic + " at " + properties.get("bootstrap.servers") + ": " + failure.getMessage()
                        + (cause == failure ? "" : " (" + cause.getMessage() + ")"),
                failure);
    }

    static InterruptedException interrupted(InterruptException cause) {
        Thread.interrupted(); // Kafka has set it; the exception says so
        InterruptedException interrupted = new InterruptedException(cause.getMessage());
        interrupted.initCause(cause);
        return interrupted;
    }

    /// Also on a thread that was interrupted, which stays so.
    static void close(KafkaConsumer<?, ?> consumer) {
        boolean interrupted = Thread.interrupted();
        try {
            consumer.close(CloseOptions.timeout(CLOSING));
        } catch (InterruptException again) {
            interrupted = true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
