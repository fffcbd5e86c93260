package org.jspdl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/// Authorities and certificates for 127.0.0.1 that the JDK's keytool makes: `NAME.pem` and `NAME.key` in a folder.
record TestCertificates(Path folder) {
    private static final String PASSWORD = "changeit";

    void authority(String name) throws Exception {
        make(name, "-ext", "bc:c");
    }

    void worker(String name, String authority) throws Exception {
        make(name, "-signer", authority, "-ext", "san=ip:127.0.0.1");
    }

    private void make(String name, String... more) throws Exception {
        Path store = folder.resolve("all.p12");
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        List<String> command = new ArrayList<>(List.of(keytool.toString(), "-J-XX:TieredStopAtLevel=1", "-genkeypair"));
        command.addAll(List.of("-alias", name, "-dname", "CN=" + name, "-validity", "5"));
        command.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1"));
        command.addAll(List.of("-keystore", store.toString(), "-storepass", PASSWORD));
        command.addAll(List.of(more));
        try (Launched process = Launched.start(command, folder, Map.of())) {
            Launched.Ended ended = process.await();
            assertThat(ended.code()).as(ended.out() + ended.err()).isZero();
        }
        KeyStore made = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        StringBuilder chain = new StringBuilder();
        for (Certificate each : made.getCertificateChain(name)) {
            chain.append(pem("CERTIFICATE", each.getEncoded()));
        }
        Files.writeString(folder.resolve(name + ".pem"), chain);
        byte[] key = made.getKey(name, PASSWORD.toCharArray()).getEncoded();
        Files.writeString(folder.resolve(name + ".key"), pem("PRIVATE KEY", key));
    }

    private static String pem(String what, byte[] bytes) {
        Base64.Encoder lines = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));
        return "-----BEGIN " + what + "-----\n" + lines.encodeToString(bytes) + "\n-----END " + what + "-----\n";
    }
}
