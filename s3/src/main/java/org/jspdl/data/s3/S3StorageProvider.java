package org.jspdl.data.s3;

import java.util.Set;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.data.storage.StorageProvider;

/// Storage for `s3://bucket/key`.
///
/// Credentials, region and profile come from where the AWS tools look for them: system properties, the environment,
/// `~/.aws`, containers and instances. `AWS_ENDPOINT_URL_S3` or `AWS_ENDPOINT_URL` name a compatible store;
/// `AWS_SKIP_SIGNATURE=true` reads public buckets without credentials.
public final class S3StorageProvider implements StorageProvider {

    /// For `ServiceLoader`.
    public S3StorageProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("s3");
    }

    @Override
    public String server() {
        return S3Settings.endpointOfThisProcess().orElse("");
    }

    @Override
    public Storage open(StorageOptions options) {
        return S3Settings.ofThisProcess().open(options);
    }
}
