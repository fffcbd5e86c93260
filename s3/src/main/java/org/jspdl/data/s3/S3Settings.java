package org.jspdl.data.s3;

import java.time.Clock;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspdl.data.bucket.BucketAddress;
import org.jspdl.data.bucket.BucketStorage;
import org.jspdl.data.http.Authorizer;
import org.jspdl.data.http.HttpAddress;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageOptions;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.EnvironmentVariableCredentialsProvider;
import software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.profiles.Profile;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.profiles.ProfileFileSystemSetting;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;

/// Which store, and who asks.
///
/// @param endpoint    the address of a compatible store; empty for that of AWS
/// @param region      what signatures are for
/// @param credentials empty to send requests without signatures
record S3Settings(Optional<String> endpoint, String region, Optional<AwsCredentialsProvider> credentials) {
    /// Where nothing has to be escaped in the name of a host, and a certificate fits it.
    private static final Pattern HOST = Pattern.compile("[a-z0-9-]+");

    private static final String USUAL_REGION = "us-east-1";

    /// What system properties and the environment say.
    static S3Settings ofThisProcess() {
        boolean unsigned = setting("aws.skipSignature", "AWS_SKIP_SIGNATURE")
                .filter(value -> value.equalsIgnoreCase("true"))
                .isPresent();
        String region = usualRegion();
        return new S3Settings(
                endpointOfThisProcess(), region, unsigned ? Optional.empty() : Optional.of(usualCredentials(region)));
    }

    /// The address of the compatible store that is named; empty for AWS.
    static Optional<String> endpointOfThisProcess() {
        return setting("aws.endpointUrlS3", "AWS_ENDPOINT_URL_S3")
                .or(() -> setting("aws.endpointUrl", "AWS_ENDPOINT_URL"))
                .or(S3Settings::usualEndpoint);
    }

    /// The store with these settings; the caller closes it.
    Storage open(StorageOptions options) {
        Authorizer authorizer = credentials
                .<Authorizer>map(known -> new S3Signer(known, region))
                .orElseGet(Authorizer::anonymous);
        return new BucketStorage(options, this::at, authorizer);
    }

    /// Where an object is: its bucket is a host of its own at AWS, and the first part of the path elsewhere and
    /// where no certificate would fit the name.
    HttpAddress at(BucketAddress address, String query) throws StorageException {
        String aws = "s3." + region + ".amazonaws.com";
        if (endpoint.isEmpty() && HOST.matcher(address.bucket()).matches()) {
            HttpAddress.Host host = HttpAddress.parse(Location.of("https://" + address.bucket() + "." + aws))
                    .host();
            return new HttpAddress(host, address.path() + query);
        }
        return address.below(endpoint.orElse("https://" + aws), query);
    }

    /// The usual chain of the SDK, with web identities where it has them, which would need a module more.
    private static AwsCredentialsProvider usualCredentials(String region) {
        AwsCredentialsProvider usual = DefaultCredentialsProvider.builder().build();
        return WebIdentity.of(System.getenv(), region, Clock.systemUTC())
                .<AwsCredentialsProvider>map(identity -> AwsCredentialsProviderChain.of(
                        SystemPropertyCredentialsProvider.create(),
                        EnvironmentVariableCredentialsProvider.create(),
                        identity,
                        usual))
                .orElse(usual);
    }

    /// The endpoint of the profile, unless the environment says that none counts.
    private static Optional<String> usualEndpoint() {
        boolean ignored = setting("aws.ignoreConfiguredEndpointUrls", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS")
                .filter(value -> value.equalsIgnoreCase("true"))
                .isPresent();
        return ignored
                ? Optional.empty()
                : endpoint(
                        ProfileFile.defaultProfileFile(), ProfileFileSystemSetting.AWS_PROFILE.getStringValueOrThrow());
    }

    /// The endpoint that a profile names for S3, in the section of its `services`, or else for all services.
    static Optional<String> endpoint(ProfileFile file, String profile) {
        Optional<Profile> chosen = file.profile(profile);
        return chosen.flatMap(named -> named.property("services"))
                .flatMap(services -> file.getSection("services", services))
                .flatMap(services -> services.property("s3.endpoint_url"))
                .or(() -> chosen.flatMap(named -> named.property("endpoint_url")))
                .filter(value -> !value.isBlank());
    }

    private static Optional<String> setting(String property, String variable) {
        return Optional.ofNullable(System.getProperty(property))
                .or(() -> Optional.ofNullable(System.getenv(variable)))
                .filter(value -> !value.isBlank());
    }

    private static String usualRegion() {
        try {
            return DefaultAwsRegionProviderChain.builder().build().getRegion().id();
        } catch (SdkClientException nowhere) {
            return USUAL_REGION; // where a bucket is asked for first; AWS answers in which region it is
        }
    }
}
