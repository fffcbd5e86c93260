package org.jspdl.service;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Authorities and certificates that the JDK's keytool makes, as PEM files.
record Certificates(Path folder) {
    private static final String PASSWORD = "changeit";

    /// Makes an authority.
    void authority(String name) throws Exception {
        keytool(name, "-dname", "CN=" + name, "-ext", "bc:c", "-validity", "10");
        write(name);
    }

    /// Makes a certificate of `authority` for `hosts`, such as `ip:127.0.0.1`: `NAME.pem` and `NAME.key`.
    ///
    /// @param when `-validity DAYS`, or also when it began
    void certificate(String name, String authority, String hosts, String... when) throws Exception {
        List<String> words =
                new ArrayList<>(List.of("-dname", "CN=" + name, "-signer", authority, "-ext", "san=" + hosts));
        words.addAll(List.of(when));
        keytool(name, words.toArray(String[]::new));
        write(name);
    }

    Path pem(String name) {
        return folder.resolve(name + ".pem");
    }

    Path key(String name) {
        return folder.resolve(name + ".key");
    }

    private Path store() {
        return folder.resolve("all.p12");
    }

    private void keytool(String name, String... more) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-keystore",
                store().toString(),
                "-storepass",
                PASSWORD));
        command.addAll(List.of(more));
        Path log = folder.resolve("keytool.log");
        Process keytool = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
            keytool.destroyForcibly();
            throw new IOException(Files.readString(log));
        }
    }

    private void write(String name) throws Exception {
        KeyStore store = KeyStore.getInstance(store().toFile(), PASSWORD.toCharArray());
        StringBuilder chain = new StringBuilder();
        for (Certificate each : store.getCertificateChain(name)) {
            chain.append(pem("CERTIFICATE", each.getEncoded()));
        }
        Files.writeString(pem(name), chain);
        Files.writeString(
                key(name),
                pem("PRIVATE KEY", store.getKey(name, PASSWORD.toCharArray()).getEncoded()));
    }

    private static String pem(String what, byte[] bytes) {
        Base64.Encoder lines = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));
        return "-----BEGIN " + what + "-----\n" + lines.encodeToString(bytes) + "\n-----END " + what + "-----\n";
    }
}
