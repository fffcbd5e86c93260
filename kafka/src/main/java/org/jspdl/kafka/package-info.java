/// Records of Kafka topics as items of a source. Start with [KafkaSource].
@NullMarked
package org.jspdl.kafka;

import org.jspecify.annotations.NullMarked;
