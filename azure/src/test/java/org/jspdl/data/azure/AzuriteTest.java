package org.jspdl.data.azure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jspdl.data.azure.AzuriteServer.ACCOUNT;

import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.models.PublicAccessType;
import com.azure.storage.blob.sas.BlobContainerSasPermission;
import com.azure.storage.blob.sas.BlobServiceSasSignatureValues;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspdl.data.azure.FrontServer.Deed;
import org.jspdl.data.http.RangeClient;
import org.jspdl.data.storage.ByteRange;
import org.jspdl.data.storage.ListedObject;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.ObjectVersion;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageException.Kind;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Against Azurite, the emulator of Microsoft, with Azure's own client on the other side.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AzuriteTest {
    private static final List<String> NAMES = List.of(
            "train/a b.bin",
            "train/deep/er/#1%20+&=?.bin",
            "train/it's (1)~!@$,;.bin",
            "train/ü/ñ.bin",
            "training.bin");
    private static final String ROOT = "az://" + ACCOUNT + "/data";

    private final byte[] content = new byte[200_000];
    private AzuriteServer server;
    private BlobContainerClient official;

    @BeforeAll
    @Timeout(300)
    void start(@TempDir Path folder) throws IOException {
        new Random(3).nextBytes(content);
        server = AzuriteServer.start(folder);
        official = server.official().createBlobContainer("data");
        for (String name : NAMES) {
            official.getBlobClient(name).upload(BinaryData.fromBytes(content));
        }
        official.getBlobClient("empty/nothing.bin").upload(BinaryData.fromBytes(new byte[0]));
    }

    @AfterAll
    void stop() throws InterruptedException {
        if (server != null) {
            server.stop();
        }
    }

    private Storage storage() {
        return server.settings().open(StorageOptions.defaults());
    }

    private static byte[] bytes(Lease lease) {
        try (lease) {
            return lease.segment().toArray(ValueLayout.JAVA_BYTE);
        }
    }

    private static void assertFails(Callable<?> call, Kind kind, String text) {
        assertThatThrownBy(call::call)
                .isInstanceOfSatisfying(
                        StorageException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(kind))
                .hasMessageContaining(text)
                .hasMessageNotContaining(AzuriteServer.KEY)
                .hasMessageNotContaining("sig=");
    }

    @Test
    void readsWhatAzuresOwnClientWroteWhateverItsName() throws IOException {
        try (Storage storage = storage();
                BufferPool pool = BufferPool.create("test", 16 << 20)) {
            for (String name : NAMES) {
                StoredObject object = storage.object(ROOT + "/" + name);
                List<Lease> two = object.read(List.of(new ByteRange(150_000, 7), new ByteRange(10, 100)), pool);

                assertThat(bytes(object.readAll(pool, 1 << 20))).isEqualTo(content);
                assertThat(bytes(two.get(0))).isEqualTo(Arrays.copyOfRange(content, 150_000, 150_007));
                assertThat(bytes(two.get(1))).isEqualTo(Arrays.copyOfRange(content, 10, 110));
                assertThat(object.size()).isEqualTo(200_000);
                assertThat(object.version())
                        .isEqualTo(storage.object(ROOT + "/" + name).version())
                        .contains(official.getBlobClient(name)
                                .getProperties()
                                .getETag()
                                .replace("\"", ""));
            }
            assertThat(storage.object(ROOT + "/empty/nothing.bin").size()).isZero();
        }
    }

    @Test
    void addressesOfHadoopReachTheSameBlobs() throws IOException {
        String folder = "abfss://data@" + ACCOUNT + ".dfs.core.windows.net/train";
        try (Storage storage = storage();
                BufferPool pool = BufferPool.create("test", 1 << 20);
                Stream<ListedObject> train = storage.list(folder)) {
            assertThat(bytes(storage.object(folder + "/a b.bin").readAll(pool, 1 << 20)))
                    .isEqualTo(content);
            assertThat(train.map(each -> each.location().text()))
                    .contains(folder + "/a b.bin")
                    .hasSize(4);
            assertThatThrownBy(() -> storage.object(folder + "/none.bin").size())
                    .hasMessageStartingWith(folder + "/none.bin: ");
        }
    }

    @Test
    void listsWhatIsBelowAFolder() throws IOException {
        try (Storage storage = storage();
                Stream<ListedObject> train = storage.list(ROOT + "/train");
                Stream<ListedObject> empty = storage.list(ROOT + "/empty/")) {
            assertThat(train.map(each -> new ListedObject(each.location(), each.size())))
                    .containsExactlyInAnyOrderElementsOf(NAMES.subList(0, 4).stream()
                            .map(name -> new ListedObject(Location.of(ROOT + "/" + name), 200_000))
                            .toList());
            assertThat(empty.map(each -> new ListedObject(each.location(), each.size())))
                    .containsExactly(new ListedObject(Location.of(ROOT + "/empty/nothing.bin"), 0));
        }
    }

    @Test
    void aLongListingIsReadPageByPageAsItIsConsumed() throws IOException {
        BlobContainerClient many = server.official().createBlobContainer("many");
        for (int i = 0; i < 25; i++) {
            many.getBlobClient("f/%03d ü+%%".formatted(i)).upload(BinaryData.fromBytes(new byte[i]));
        }
        AzureSettings settings = server.settings();
        Location folder = Location.of("az://" + ACCOUNT + "/many/f");
        try (RangeClient client = new RangeClient(StorageOptions.defaults(), new AzureAuthorizer(settings, address -> {
            throw new AssertionError(address);
        }))) {
            AzureListing listing = new AzureListing(client, settings, folder, 10);
            List<ListedObject> first = Stream.generate(listing::next).limit(3).toList();
            assertThat(client.stats().requests()).isEqualTo(1);
            List<ListedObject> rest = Stream.generate(listing::next).limit(22).toList();

            assertThat(listing.hasNext()).isFalse();
            assertThat(Stream.concat(first.stream(), rest.stream())
                            .map(each -> new ListedObject(each.location(), each.size())))
                    .containsExactlyElementsOf(IntStream.range(0, 25)
                            .mapToObj(i -> new ListedObject(folder.resolve("%03d ü+%%".formatted(i)), i))
                            .toList());
            assertThat(client.stats().requests()).isEqualTo(3);
        }
    }

    @Test
    @Tag("slow")
    void azuresOwnClientReadsWhatWeWroteInBlocksOrAtOnce() throws IOException {
        Random random = new Random(8);
        try (Storage storage = storage()) {
            for (int size : new int[] {0, 1, 16 << 20, (16 << 20) + 1, (33 << 20) + 77}) {
                byte[] written = new byte[size];
                random.nextBytes(written);

                storage.put(Location.of(ROOT + "/written/one+two &ü.bin"), MemorySegment.ofArray(written));

                assertThat(official.getBlobClient("written/one+two &ü.bin")
                                .downloadContent()
                                .toBytes())
                        .isEqualTo(written);
            }
        }
    }

    private Storage over(FrontServer front, Duration deadline) {
        AzureSettings settings =
                AzureSettings.ofConnection(AzuriteServer.connection(front.endpoint(), AzuriteServer.KEY), false);
        return settings.open(StorageOptions.defaults()
                .readDeadline(deadline)
                .withoutHedging()
                .retries(new StorageOptions.Retries(Duration.ofMillis(1), Duration.ofMillis(20), 1)));
    }

    @Test
    void anUploadWhoseAnswersAreLostIsWholeAll() throws IOException {
        byte[] written = new byte[(20 << 20) + 1];
        new Random(9).nextBytes(written);
        try (FrontServer front = new FrontServer(
                        server.endpoint(),
                        (_, target, before) ->
                                before < 2 || (target.contains("blocklist") && before < 6) ? Deed.LOSE : Deed.PASS);
                Storage storage = over(front, Duration.ofMinutes(1))) {
            storage.put(Location.of(ROOT + "/lost-answers.bin"), MemorySegment.ofArray(written));

            assertThat(front.asked().stream().filter(each -> each.target().contains("blocklist")))
                    .hasSizeGreaterThan(1);
            assertThat(official.getBlobClient("lost-answers.bin")
                            .downloadContent()
                            .toBytes())
                    .isEqualTo(written);
        }
    }

    @Test
    void anUploadThatFailsLeavesWhatWasThereBefore() throws IOException {
        official.getBlobClient("never/old.bin").upload(BinaryData.fromBytes(new byte[] {1, 2, 3}));
        byte[] written = new byte[(40 << 20) + 1];
        try (FrontServer front =
                        new FrontServer(server.endpoint(), (_, _, before) -> before < 2 ? Deed.PASS : Deed.LOSE);
                Storage storage = over(front, Duration.ofMillis(1_500));
                Storage direct = storage();
                Stream<ListedObject> below = direct.list(ROOT + "/never")) {
            for (String name : List.of("new.bin", "old.bin")) {
                assertThatThrownBy(
                                () -> storage.put(Location.of(ROOT + "/never/" + name), MemorySegment.ofArray(written)))
                        .isInstanceOf(StorageException.class)
                        .hasMessageContaining("gave up after");
            }

            assertThat(below.map(each -> new ListedObject(each.location(), each.size())))
                    .containsExactly(new ListedObject(Location.of(ROOT + "/never/old.bin"), 3));
            assertFails(() -> direct.object(ROOT + "/never/new.bin").size(), Kind.MISSING, "404");
        }
    }

    @Test
    void aServerThatIsBusyIsAskedAgainWhenItSaid() throws IOException {
        try (FrontServer front =
                        new FrontServer(server.endpoint(), (_, _, before) -> before == 0 ? Deed.BUSY : Deed.PASS);
                Storage storage = over(front, Duration.ofMinutes(1));
                BufferPool pool = BufferPool.create("test", 1 << 20)) {
            assertThat(bytes(storage.object(ROOT + "/training.bin").readAll(pool, 1 << 20)))
                    .isEqualTo(content);

            assertThat(front.asked()).hasSize(2);
            assertThat(front.asked().get(1).atNanos() - front.asked().get(0).atNanos())
                    .isGreaterThanOrEqualTo(1_000_000_000L);
            assertThat(storage.stats().throttled()).isEqualTo(1);
        }
    }

    @Test
    void deletesBlobsAndIsContentWhereThereIsNone() throws IOException {
        try (Storage storage = storage()) {
            Location location = Location.of(ROOT + "/deleted/one+two &.bin");
            storage.put(location, MemorySegment.ofArray(new byte[3]));
            assertThat(storage.object(location).size()).isEqualTo(3);

            storage.delete(location);
            storage.delete(location);

            assertThatThrownBy(() -> storage.object(location).size()).isInstanceOf(StorageException.class);
        }
    }

    @Test
    void whoMayNotWriteFindsOutAtOnceAndNothingIsLeft() throws IOException {
        AzureSettings wrong = AzureSettings.ofConnection(
                AzuriteServer.connection(
                        server.endpoint(), Base64.getEncoder().encodeToString("wrong".getBytes(UTF_8))),
                false);
        try (Storage storage = storage();
                Storage stranger = wrong.open(StorageOptions.defaults())) {
            storage.requireWritable(Location.of(ROOT + "/some/where"));
            assertFails(
                    () -> written(storage, "az://" + ACCOUNT + "/no-such/x"),
                    Kind.MISSING,
                    "(ContainerNotFound): there is no such container");
            assertFails(() -> written(stranger, ROOT + "/x"), Kind.DENIED, "403 (AuthorizationFailure)");
            assertFails(() -> written(storage, ROOT), Kind.UNSUPPORTED, "names a container");
            assertThat(official.getBlobClient("some/where/jspdl-probe").exists())
                    .isFalse();
        }
    }

    private static boolean written(Storage storage, String location) throws IOException {
        if (!location.equals(ROOT)) {
            storage.requireWritable(Location.of(location));
        }
        storage.put(Location.of(location), MemorySegment.ofArray(new byte[10]));
        return true;
    }

    @Test
    void saysWhatIsWrong() throws IOException {
        AzureSettings wrong = AzureSettings.ofConnection(
                AzuriteServer.connection(
                        server.endpoint(), Base64.getEncoder().encodeToString("wrong".getBytes(UTF_8))),
                false);
        try (Storage storage = storage();
                Storage stranger = wrong.open(StorageOptions.defaults());
                BufferPool pool = BufferPool.create("test", 16 << 20);
                Stream<ListedObject> nothing = storage.list(ROOT + "/none");
                Stream<ListedObject> nowhere = storage.list("az://" + ACCOUNT + "/no-such/none")) {
            StoredObject object = storage.object(ROOT + "/training.bin");

            assertFails(
                    () -> storage.object(ROOT + "/none").readAll(pool, 100),
                    Kind.MISSING,
                    ROOT + "/none: the server said 404 (BlobNotFound): there is no such object");
            assertFails(
                    () -> storage.object("az://" + ACCOUNT + "/no-such/none").size(),
                    Kind.MISSING,
                    "(ContainerNotFound): there is no such container");
            assertFails(() -> stranger.object(ROOT + "/training.bin").readAll(pool, 100), Kind.DENIED, "403");
            assertFails(() -> object.read(200_000, 1, pool), Kind.RANGE, "cannot read 1 bytes at 200,000");
            assertFails(() -> object.read(199_999, 2, pool), Kind.RANGE, "cannot read 2 bytes at 199,999");
            assertFails(() -> storage.object(ROOT), Kind.UNSUPPORTED, "names a container");
            assertThatThrownBy(nothing::count)
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("nothing in this folder");
            assertThatThrownBy(nowhere::count)
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("there is no such container");
        }
    }

    @Test
    @Timeout(120)
    void anUnknownAccountFailsAtOnceByName() throws IOException {
        AzureSettings nowhere =
                new AzureSettings("nosuch", "https://nosuch.blob.invalid", "invalid", Optional.empty(), "sv=1", false);
        try (Storage storage = nowhere.open(StorageOptions.defaults())) {
            assertFails(() -> storage.object("az://nosuch/data/x").size(), Kind.UNAVAILABLE, "nosuch.blob.invalid");
        }
    }

    private String sas(OffsetDateTime until) {
        return official.generateSas(new BlobServiceSasSignatureValues(
                until,
                new BlobContainerSasPermission()
                        .setReadPermission(true)
                        .setWritePermission(true)
                        .setListPermission(true)));
    }

    private AzureSettings shared(String sas) {
        return AzureSettings.ofConnection(
                "AccountName=" + ACCOUNT + ";BlobEndpoint=" + server.endpoint() + ";SharedAccessSignature=" + sas,
                false);
    }

    @Test
    void aSharedAccessSignatureReadsListsAndWrites() throws IOException {
        byte[] written = new byte[(17 << 20) + 5];
        new Random(4).nextBytes(written);
        try (Storage storage = shared(sas(OffsetDateTime.now(ZoneOffset.UTC).plusHours(1)))
                        .open(StorageOptions.defaults());
                BufferPool pool = BufferPool.create("test", 64 << 20);
                Stream<ListedObject> train = storage.list(ROOT + "/train")) {
            storage.requireWritable(Location.of(ROOT + "/shared"));
            storage.put(Location.of(ROOT + "/shared/large.bin"), MemorySegment.ofArray(written));

            assertThat(train).hasSize(4);
            assertThat(bytes(storage.object(ROOT + "/shared/large.bin").readAll(pool, 32 << 20)))
                    .isEqualTo(written);
            assertThat(bytes(storage.object(ROOT + "/train/ü/ñ.bin").read(5, 10, pool)))
                    .isEqualTo(Arrays.copyOfRange(content, 5, 15));
            assertThat(storage.object(ROOT + "/train/ü/ñ.bin").size()).isEqualTo(200_000);
            assertThat(storage.object(ROOT + "/empty/nothing.bin").size()).isZero();
        }
    }

    @Test
    void aSharedAccessSignatureThatHasExpiredIsOneClearError() throws IOException {
        try (Storage storage =
                shared(sas(OffsetDateTime.now(ZoneOffset.UTC).minusHours(1))).open(StorageOptions.defaults())) {
            assertFails(
                    () -> storage.object(ROOT + "/training.bin").size(),
                    Kind.DENIED,
                    ROOT + "/training.bin: the server said 403");
            assertThat(storage.stats().requests()).isEqualTo(1);
        }
    }

    @Test
    void publicContainersAreReadWithoutCredentials() throws IOException {
        BlobContainerClient open = server.official().createBlobContainer("open");
        open.setAccessPolicy(PublicAccessType.CONTAINER, null);
        open.getBlobClient("x.bin").upload(BinaryData.fromBytes(content));
        AzureSettings nobody =
                new AzureSettings(ACCOUNT, server.endpoint(), "core.windows.net", Optional.empty(), "", true);
        try (Storage storage = nobody.open(StorageOptions.defaults());
                BufferPool pool = BufferPool.create("test", 1 << 20)) {
            assertThat(bytes(storage.object("az://" + ACCOUNT + "/open/x.bin").readAll(pool, 1 << 20)))
                    .isEqualTo(content);
            assertThatThrownBy(() -> storage.object(ROOT + "/training.bin").readAll(pool, 1 << 20))
                    .isInstanceOf(StorageException.class);
        }
    }

    @Test
    void aListingTellsTheVersionsThatItsBlobsHave() throws IOException {
        try (Storage storage = storage();
                Stream<ListedObject> listed = storage.list(ROOT + "/train")) {
            for (ListedObject each : listed.toList()) {
                assertThat(ObjectVersion.hash(each.version()))
                        .isEqualTo(ObjectVersion.hash(
                                storage.object(each.location()).version()))
                        .isNotEqualTo(ObjectVersion.UNKNOWN);
            }
        }
    }
}
