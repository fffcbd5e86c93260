package org.jspdl.data.s3;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspdl.data.http.Authorizer;
import org.jspdl.data.http.HttpAddress;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageException.Kind;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;

/// Signs requests with the credentials of the moment, which the SDK renews. Thread-safe.
final class S3Signer implements Authorizer {
    private static final Set<String> ADDED = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

    static {
        ADDED.addAll(List.of("Authorization", "X-Amz-Date", "x-amz-content-sha256", "X-Amz-Security-Token"));
    }

    private final AwsCredentialsProvider credentials;
    private final String region;
    private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();

    S3Signer(AwsCredentialsProvider credentials, String region) {
        this.credentials = credentials;
        this.region = region;
    }

    @Override
    public boolean isPersonal() {
        return true;
    }

    @Override
    public void authorize(String method, HttpAddress address, Map<String, String> headers) throws StorageException {
        SdkHttpRequest request = request(method, address, headers);
        AwsCredentials identity = identity(address);
        SignedRequest signed = signer.sign(sign -> sign.identity(identity)
                .request(request)
                .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                .putProperty(AwsV4HttpSigner.REGION_NAME, region)
                .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
                .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false)
                .putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, false));
        signed.request().forEachHeader((name, values) -> {
            if (ADDED.contains(name)) {
                headers.put(name, values.getFirst());
            }
        });
    }

    private AwsCredentials identity(HttpAddress address) throws StorageException {
        try {
            return credentials.resolveCredentials();
        } catch (SdkException failure) {
            throw new StorageException(
                    Kind.DENIED,
                    Location.of(address.host().toString()),
                    MissingCredentials.reason(String.valueOf(failure.getMessage())),
                    failure);
        }
    }

    private static SdkHttpRequest request(String method, HttpAddress address, Map<String, String> headers) {
        HttpAddress.Host host = address.host();
        String[] target = address.target().split("\\?", 2);
        SdkHttpRequest.Builder request = SdkHttpRequest.builder()
                .method(SdkHttpMethod.fromValue(method))
                .protocol(host.tls() ? "https" : "http")
                .host(host.name())
                .port(host.port())
                .encodedPath(target[0]);
        for (String pair : target.length == 1 || target[1].isEmpty() ? new String[0] : target[1].split("&")) {
            int equals = pair.indexOf('=');
            request.putRawQueryParameter(
                    pair.substring(0, equals), URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
        }
        // the agent's name is not signed: proxies change it
        headers.forEach((name, value) -> {
            if (!name.equals("User-Agent") && !name.equals("Accept-Encoding")) {
                request.putHeader(name, value);
            }
        });
        return request.build();
    }
}
