/// Storage for `s3://`.
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // S3 is called that
module org.jspdl.data.s3 {
    requires static org.jspecify;
    requires org.jspdl.data;
    requires software.amazon.awssdk.auth;
    requires software.amazon.awssdk.core;
    requires software.amazon.awssdk.http;
    requires software.amazon.awssdk.http.auth.aws;
    requires software.amazon.awssdk.http.auth.spi;
    requires software.amazon.awssdk.identity.spi;
    requires software.amazon.awssdk.profiles;
    requires software.amazon.awssdk.regions;

    provides org.jspdl.data.storage.StorageProvider with
            org.jspdl.data.s3.S3StorageProvider;
}
