package org.jspdl.kafka;

import java.util.List;
import java.util.Optional;

/// One record as the broker keeps it. Its arrays are not copied: whoever has the record owns them.
///
/// @param offset          its place in the partition
/// @param timestampMillis since 1970; of the producer or of the broker, as the topic says (`message.timestamp.type`)
/// @param key             empty without one
/// @param value           empty for a record that only deletes its key
/// @param headers         in their order
@SuppressWarnings("ArrayRecordComponent") // never compared
public record KafkaRecord(
        String topic,
        int partition,
        long offset,
        long timestampMillis,
        Optional<byte[]> key,
        Optional<byte[]> value,
        List<Header> headers) {

    /// Makes the list of headers immutable.
    public KafkaRecord {
        headers = List.copyOf(headers);
    }

    /// A name and bytes that the producer has added.
    ///
    /// @param value empty if it is null
    public record Header(String name, Optional<byte[]> value) {}

    /// Where it lies, as messages say it: `clicks-3 at offset 1234`.
    public String where() {
        return topic + "-" + partition + " at offset " + offset;
    }
}
