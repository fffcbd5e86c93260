package org.jspdl.data.shards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Few fields are looked through and many are found by a map: both must behave alike.
class SampleFieldsTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 7, 8, 9, 10, 100})
    void fieldsAreFoundByNameAndKeepTheirOrder(int count) {
        ShardSample sample = new ShardSample("shard", 7);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add("field " + (i * 37 % 101));
            sample.with(names.getLast(), MemorySegment.ofArray(new byte[i + 1]));
        }

        assertThat(sample.names()).isEqualTo(names);
        for (int i = 0; i < count; i++) {
            String name = new String(names.get(i).toCharArray()); // equal, not the same
            assertThat(sample.has(name)).isTrue();
            assertThat(sample.bytes(name).byteSize()).isEqualTo(i + 1);
            assertThatThrownBy(() -> sample.with(name, MemorySegment.NULL))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("sample '7' of shard has two fields '" + name + "'");
        }
        assertThat(sample.names()).hasSize(count);
        assertThat(sample.has("another")).isFalse();
        assertThatThrownBy(() -> sample.bytes("another"))
                .hasMessage("shard: sample 7 ('7'): there is no field 'another', only " + names);
        assertThatThrownBy(() -> sample.names().add("more")).isInstanceOf(UnsupportedOperationException.class);
    }
}
