package org.jspdl.data.s3;

import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;

/// Which store, and who asks.
///
/// @param endpoint    the address of a compatible store; empty for that of AWS
/// @param region      what signatures are for
/// @param credentials empty to send requests without signatures
record S3Settings(Optional<String> endpoint, String region, Optional<AwsCredentialsProvider> credentials) {
    private static final String USUAL_REGION = "us-east-1";

    /// What system properties and the environment say.
    static S3Settings ofThisProcess() {
        boolean unsigned = setting("aws.skipSignature", "AWS_SKIP_SIGNATURE")
                .filter(value -> value.equalsIgnoreCase("true"))
                .isPresent();
        return new S3Settings(
                setting("aws.endpointUrlS3", "AWS_ENDPOINT_URL_S3")
                        .or(() -> setting("aws.endpointUrl", "AWS_ENDPOINT_URL")),
                usualRegion(),
                unsigned
                        ? Optional.empty()
                        : Optional.of(DefaultCredentialsProvider.builder().build()));
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
