package org.jspdl.data.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspdl.data.storage.ByteRange;
import org.jspdl.data.storage.ListedObject;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageException.Kind;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/// Against any server that speaks as S3 does, with an empty bucket called `bucket`, which `-Djspdl.s3.endpoint` names:
/// with `-Djspdl.s3.id` and `-Djspdl.s3.secret` if it checks signatures.
@Tag("campaign")
@EnabledIfSystemProperty(named = "jspdl.s3.endpoint", matches = "http.*")
class ForeignS3Test {
    private static Storage storage() {
        return new S3Settings(
                        Optional.of(System.getProperty("jspdl.s3.endpoint")),
                        System.getProperty("jspdl.s3.region", "us-east-1"),
                        Optional.of(StaticCredentialsProvider.create(AwsBasicCredentials.create(
                                System.getProperty("jspdl.s3.id", "id"),
                                System.getProperty("jspdl.s3.secret", "secret")))))
                .open(StorageOptions.defaults());
    }

    private static byte[] bytes(int size, long seed) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static void assertHolds(Lease lease, byte[] expected) {
        try (lease) {
            assertThat(lease.segment().mismatch(MemorySegment.ofArray(expected)))
                    .isEqualTo(-1);
        }
    }

    private static void assertFails(Storage storage, String location, long offset, Kind kind) {
        try (BufferPool pool = BufferPool.create("test", 1 << 20)) {
            assertThatThrownBy(() -> storage.object(location).read(offset, 5, pool))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            failure -> assertThat(failure.kind()).isEqualTo(kind));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a b.bin", "deep/er/#1%20+&=.bin", "ü/ñ.bin", "+plus+.bin", "q?x=1.bin", "x~!'()*;:@,$.bin"})
    void whatIsWrittenIsReadAndListedWhateverItIsCalled(String key) throws IOException {
        byte[] content = bytes(200_000, key.hashCode());
        try (Storage storage = storage();
                BufferPool pool = BufferPool.create("test", 1 << 20)) {
            Location location = Location.of("s3://bucket/names/" + key);
            storage.put(location, MemorySegment.ofArray(content));
            StoredObject object = storage.object(location);

            assertHolds(object.readAll(pool, 1 << 20), content);
            List<Lease> two = object.read(List.of(new ByteRange(150_000, 7), new ByteRange(10, 100)), pool);
            assertHolds(two.get(0), Arrays.copyOfRange(content, 150_000, 150_007));
            assertHolds(two.get(1), Arrays.copyOfRange(content, 10, 110));
            try (Stream<ListedObject> listed = storage.list("s3://bucket/names")) {
                assertThat(listed.map(each -> new ListedObject(each.location(), each.size())))
                        .contains(new ListedObject(location, 200_000));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 16 << 20, (16 << 20) + 1, (33 << 20) + 77})
    void objectsOfEverySizeAreWrittenAndTheirReplacementIsNoticed(int size) throws IOException {
        byte[] content = bytes(size, size);
        Location location = Location.of("s3://bucket/sizes/" + size);
        try (Storage storage = storage();
                BufferPool pool = BufferPool.create("test", 128 << 20)) {
            storage.put(location, MemorySegment.ofArray(content));
            StoredObject object = storage.object(location);
            assertThat(object.size()).isEqualTo(size);
            if (size > 0) {
                assertHolds(object.read(0, size, pool), content);
                storage.put(location, MemorySegment.ofArray(bytes(size, -1)));
                assertThatThrownBy(() -> object.read(0, 1, pool))
                        .isInstanceOfSatisfying(
                                StorageException.class,
                                failure -> assertThat(failure.kind()).isEqualTo(Kind.CHANGED));
            }
        }
    }

    @Test
    void aListingOfSeveralPagesIsWhole() throws IOException {
        try (Storage storage = storage()) {
            for (int i = 0; i < 1_203; i++) {
                storage.put(Location.of("s3://bucket/many/" + i), MemorySegment.ofArray(new byte[1]));
            }
            try (Stream<ListedObject> listed = storage.list("s3://bucket/many")) {
                assertThat(listed.map(each -> each.location().text()).collect(Collectors.toSet()))
                        .isEqualTo(IntStream.range(0, 1_203)
                                .mapToObj(i -> "s3://bucket/many/" + i)
                                .collect(Collectors.toSet()));
            }
        }
    }

    @Test
    void whatIsWrongIsNamed() throws IOException {
        try (Storage storage = storage()) {
            storage.put(Location.of("s3://bucket/short"), MemorySegment.ofArray(new byte[10]));
            assertFails(storage, "s3://bucket/none", 0, Kind.MISSING);
            assertFails(storage, "s3://no-such-bucket-of-ours/none", 0, Kind.MISSING);
            assertFails(storage, "s3://bucket/short", 100, Kind.RANGE);
            storage.requireWritable(Location.of("s3://bucket/new"));
        }
    }
}
