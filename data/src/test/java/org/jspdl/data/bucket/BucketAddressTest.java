package org.jspdl.data.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StorageException;
import org.junit.jupiter.api.Test;

/// What follows `s3://`, and what is said of that which names no bucket.
class BucketAddressTest {
    @Test
    void aBucketAndItsKeyAreRead() throws StorageException {
        assertThat(BucketAddress.parse(Location.of("s3://my-data.v2/train/a.jpg")))
                .isEqualTo(new BucketAddress("my-data.v2", "train/a.jpg"));
        assertThat(BucketAddress.parse(Location.of("s3://abc"))).isEqualTo(new BucketAddress("abc", ""));
    }

    @Test
    void whatCanBeNoBucketIsNamed() {
        assertThatThrownBy(() -> BucketAddress.parse(Location.of("s3://b/x")))
                .hasMessage("s3://b/x: what follows s3:// can be no bucket's name: that has 3 to 63 letters a to z,"
                        + " digits, dots and hyphens; what is wanted is s3://bucket/key");
        assertThatThrownBy(() -> BucketAddress.parse(Location.of("gs:///x")))
                .hasMessage("gs:///x: names no bucket; what is wanted is gs://bucket/key");
    }

    @Test
    void aPasswordBeforeTheBucketIsNotTold() {
        assertThatThrownBy(() -> BucketAddress.parse(Location.of("s3://user:PLANTED@bucket/x")))
                .hasMessageContaining("can be no bucket's name")
                .hasMessageNotContaining("PLANTED");
    }
}
