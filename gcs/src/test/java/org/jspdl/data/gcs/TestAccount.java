package org.jspdl.data.gcs;

import com.google.auth.oauth2.GoogleCredentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/// A service account whose tokens a [GcsServer] gives.
final class TestAccount {
    private TestAccount() {}

    /// The credentials of a service account, whose token service is the server's.
    static GoogleCredentials of(GcsServer server) throws IOException {
        try {
            KeyPairGenerator keys = KeyPairGenerator.getInstance("RSA");
            keys.initialize(2048);
            String key = Base64.getEncoder()
                    .encodeToString(keys.generateKeyPair().getPrivate().getEncoded());
            String json = """
                    {"type": "service_account", "client_id": "1", "client_email": "a@b.iam.gserviceaccount.com",
                     "private_key_id": "k", "project_id": "p", "token_uri": "%s/token",
                     "private_key": "-----BEGIN PRIVATE KEY-----\\n%s\\n-----END PRIVATE KEY-----\\n"}
                    """.formatted(server.endpoint(), key);
            return GoogleCredentials.fromStream(new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
