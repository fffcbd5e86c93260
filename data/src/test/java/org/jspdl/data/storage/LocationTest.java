package org.jspdl.data.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LocationTest {

    /// Text, scheme, what comes after it, and what is shown.
    @ParameterizedTest
    @CsvSource({
        "photos/cat.jpg, file, photos/cat.jpg, photos/cat.jpg",
        "/data/cat dog#1%20.jpg, file, /data/cat dog#1%20.jpg, /data/cat dog#1%20.jpg",
        "file:///data/cat.jpg, file, /data/cat.jpg, file:///data/cat.jpg",
        "FILE:///data/cat.jpg, file, /data/cat.jpg, FILE:///data/cat.jpg",
        "what?.tar, file, what?.tar, what?.tar",
        "s3://bucket/a?b@c, s3, bucket/a?b@c, s3://bucket/a?b@c",
        "S3://bucket/a, s3, bucket/a, S3://bucket/a",
        "https://host/a.tar?X-Sig=secret, https, host/a.tar?X-Sig=secret, https://host/a.tar?...",
        "HTTP://me:secret@host/a?b, http, me:secret@host/a?b, HTTP://...@host/a?...",
        "http://host/a@b, http, host/a@b, http://host/a@b",
        "http://me:secret@host, http, me:secret@host, http://...@host",
        "C://x, file, C://x, C://x",
        "1a://x, file, 1a://x, 1a://x",
        "a b://x, file, a b://x, a b://x",
        "://x, file, ://x, ://x",
        "a+b.c-d://x, a+b.c-d, x, a+b.c-d://x",
        "'', file, '', ''"
    })
    void aTextIsTakenApart(String text, String scheme, String rest, String shown) {
        Location location = Location.of(text);

        assertThat(location.text()).isEqualTo(text);
        assertThat(location.scheme()).isEqualTo(scheme);
        assertThat(location.afterScheme()).isEqualTo(rest);
        assertThat(location).hasToString(shown);
        assertThat(location.isRemote()).isEqualTo(!scheme.equals("file"));
        assertThat(location).isEqualTo(Location.of(text)).hasSameHashCodeAs(Location.of(text));
        assertThat(location.key().contains("secret")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/etc/passwd", "file:///etc/passwd", "FILE:///etc/passwd"})
    void aListFromAnotherMachineNamesNoLocalFile(String name) throws Exception {
        for (String folder : List.of("http://host/lists", "https://host/lists", "s3://bucket/lists")) {
            Location named = Location.of(folder).resolve(name);

            assertThatThrownBy(named::path)
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("a list from another machine names this local file");
            assertThatThrownBy(() -> named.withEnding("d", ".index").path()).isInstanceOf(StorageException.class);
            assertThatThrownBy(() -> named.parent().path()).isInstanceOf(StorageException.class);
            assertThat(named).isNotEqualTo(Location.of(name)).hasToString(name);
            assertThat(named.key()).isNotEqualTo(Location.of(name).key());
            try (Storage storage = Storage.open()) {
                assertThatThrownBy(() -> storage.object(named)).isInstanceOf(StorageException.class);
                assertThatThrownBy(() -> storage.list(named)).isInstanceOf(StorageException.class);
            }
            try (Storage storage = Storage.open(StorageOptions.defaults().allowLocal());
                    StoredObject object = storage.object(named)) {
                assertThat(object.size()).isPositive();
            }
        }
        assertThat(Location.of("lists").resolve(name).path()).hasToString("/etc/passwd");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a\u001b]0;title\u0007.jpg",
                "a\nb.jpg",
                "a\r\u001b[2Kdone.jpg",
                "\u009b31m.jpg",
                "a\u202egpj.exe",
                "https://host/a\u001b[31m",
                "s3://bucket/\u0000\u007f"
            })
    void controlCharactersAreShownAndNotSent(String text) {
        Location location = Location.of(text);

        assertThat(location.toString())
                .doesNotContainPattern("[\\p{Cntrl}\u0080-\u009f\u202e]")
                .contains("\\u");
        assertThat(location.text()).isEqualTo(text);
        assertThat(location.key()).isNotEqualTo(Location.of(location.toString()).key());
    }

    /// An object may be called like the key of another; no two have the same key.
    @Test
    void noKeyIsThatOfAnother() {
        List<String> texts = new ArrayList<>(List.of("https://host/a?b", "https://host/a?c", "a\nb", "http://u:p@h/a"));
        for (String text : List.copyOf(texts)) {
            texts.add(Location.of(text).toString());
            texts.add(Location.of(text).key());
            texts.add(Location.of(text).key().replace("\n", "#"));
        }
        assertThat(texts.stream().map(text -> Location.of(text).key()).distinct())
                .hasSize((int) texts.stream().distinct().count());
    }

    /// A folder, a name, and where that lies.
    @ParameterizedTest
    @CsvSource({
        "a/b, c.jpg, a/b/c.jpg",
        "a/b/, c.jpg, a/b/c.jpg",
        "a/b, /c.jpg, /c.jpg",
        "a/b, s3://x/c.jpg, s3://x/c.jpg",
        "a/b, file:///c.jpg, file:///c.jpg",
        "s3://bucket/train, cat/c.jpg, s3://bucket/train/cat/c.jpg",
        "'', c.jpg, c.jpg"
    })
    void aNameIsResolvedAgainstAFolder(String folder, String name, String resolved) {
        assertThat(Location.of(folder).resolve(name)).isEqualTo(Location.of(resolved));
    }

    @Test
    void theFolderOfALocationHasNoQuery() {
        assertThat(Location.of("https://host/a/b.csv?sig=x/y").parent()).isEqualTo(Location.of("https://host/a"));
        assertThat(Location.of("list.txt").parent()).isEqualTo(Location.of(""));
        assertThat(Location.of("/list.txt").parent()).isEqualTo(Location.of("/"));
    }

    @Test
    void theEndOfANameIsThatBeforeTheQuery() {
        Location signed = Location.of("https://host/A.TAR?name=b.txt");
        assertThat(signed.endsWith(".tar")).isTrue();
        assertThat(signed.endsWith(".txt")).isFalse();
        assertThat(signed.hasQuery()).isTrue();
        assertThat(Location.of("a.tar").withEnding(".tar", ".idx")).isEqualTo(Location.of("a.idx"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Location.of("https://host/a.tar?secret").withEnding(".tar", ".idx"))
                .withMessageNotContaining("secret");
    }

    @Test
    void onlyLocalLocationsArePaths() throws Exception {
        assertThat(Location.of("file:///data/x").path()).isEqualTo(Path.of("/data/x"));
        assertThat(Location.of(Path.of("a://b"))).hasToString(Path.of("a://b").toString());
        assertThat(Location.of("/s3:/b").path()).isEqualTo(Path.of("/s3:/b"));
        for (String elsewhere : new String[] {"s3://b/x", "s3:/b", "https://me:secret@h/x?secret"}) {
            assertThatExceptionOfType(StorageException.class)
                    .isThrownBy(() -> Location.of(elsewhere).path())
                    .withMessageContaining("is not on a local disk")
                    .withMessageNotContaining("secret");
        }
    }

    @Test
    void signedLocationsKeepTheirKeysApart() {
        assertThat(Location.of("https://h/a?id=1").key())
                .isNotEqualTo(Location.of("https://h/a?id=2").key());
        assertThat(Location.of("s3://b/a").key()).isEqualTo("s3://b/a");
    }
}
