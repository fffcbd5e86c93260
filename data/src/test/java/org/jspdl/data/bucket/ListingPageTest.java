package org.jspdl.data.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StorageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListingPageTest {
    private static ListingPage parse(String xml) throws StorageException {
        return ListingPage.parse(Location.of("s3://b"), xml.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aPageSaysWhatThereIsAndWhereItGoesOn() throws StorageException {
        ListingPage page = parse("""
                <ListBucketResult><EncodingType>url</EncodingType><IsTruncated>true</IsTruncated>
                <Contents><Key>a%20b</Key><Size>5</Size></Contents>
                <NextContinuationToken>x&amp;y</NextContinuationToken></ListBucketResult>""");

        assertThat(page.entries()).containsExactly(new ListingPage.Entry("a b", 5, ""));
        assertThat(page.continuation()).contains("x&y");
    }

    /// So do servers that know the first version of listings alone: the rest would be missing.
    @Test
    void aPageThatDoesNotSayWhereItGoesOnIsRefused() {
        for (String token : new String[] {"", "<NextMarker>b</NextMarker>", "<NextContinuationToken/>"}) {
            assertThatThrownBy(() -> parse("<ListBucketResult><IsTruncated>true</IsTruncated><Contents><Key>a</Key>"
                            + "<Size>5</Size></Contents>" + token + "</ListBucketResult>"))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("the listing goes on, but the server does not say where");
        }
    }

    @Test
    void whatBelongsToAnObjectIsToldInAnyOrderAndAmongOthers() throws StorageException {
        ListingPage page = parse("""
                <ListBucketResult><Prefix>a</Prefix><MaxKeys>9</MaxKeys>
                <Contents><Size> 5 </Size><Owner><ID>x</ID><Size>1</Size><Key>no</Key></Owner><Key>a</Key></Contents>
                <CommonPrefixes><Prefix>q/</Prefix></CommonPrefixes>
                <Contents><Key>b</Key><RestoreStatus><Size>2</Size></RestoreStatus><Size>6</Size></Contents>
                <IsTruncated>false</IsTruncated></ListBucketResult>""");

        assertThat(page.entries())
                .containsExactly(new ListingPage.Entry("a", 5, ""), new ListingPage.Entry("b", 6, ""));
    }

    /// A page of a proxy, or an error in place of a page, is no page without objects.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "<html><body>Sign in</body></html>",
                "<Error><Code>InternalError</Code></Error>",
                "<ListBucketResult><Contents><Key>a</Key></Contents></ListBucketResult>",
                "<ListBucketResult><Contents><Size>1</Size></Contents></ListBucketResult>",
                "<ListBucketResult><Contents><Key>a</Key><Size>-1</Size></Contents></ListBucketResult>",
                "<ListBucketResult><Contents><Key>a</Key><Size>1</Size></Contents>",
                ""
            })
    void whatIsNoListingOrLeavesOutWhatAnObjectIsCalledIsRefused(String xml) {
        assertThatThrownBy(() -> parse(xml))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("no listing of a bucket");
    }

    @Test
    void anAnswerThatIsNoListingIsRefused() {
        assertThatThrownBy(() -> parse("<ListBucketResult><Key>a</Key>"))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("no listing of a bucket");
        assertThatThrownBy(() -> parse(
                        "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><r><Key>&e;</Key><Size>1</Size></r>"))
                .isInstanceOf(StorageException.class);
    }
}
