package org.jspdl.data.azure;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.azure.storage.blob.BlobServiceClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.blob.BlobServiceVersion;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspdl.testing.Requires;

/// Azurite, the emulator of Microsoft, in a process of its own; it checks every signature.
record AzuriteServer(Process process, String endpoint) {
    static final String ACCOUNT = "someaccount";
    static final String KEY = Base64.getEncoder().encodeToString("a key that is a secret".getBytes(UTF_8));
    private static final Pattern LISTENS = Pattern.compile("listening on (http://[^ ]+)|listens on (http://[^ ]+)");

    /// Skips the test if there is no Azurite on this machine.
    static AzuriteServer start(Path folder) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        Requires.program("azurite-blob"),
                        "--blobHost",
                        "127.0.0.1",
                        "--blobPort",
                        "0",
                        "--location",
                        folder.toString(),
                        "--disableTelemetry",
                        "--skipApiVersionCheck")
                .redirectErrorStream(true);
        builder.environment().put("AZURITE_ACCOUNTS", ACCOUNT + ":" + KEY);
        Process process = builder.start();
        BufferedReader lines = process.inputReader();
        StringBuilder said = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            said.append(line).append('\n');
            Matcher found = LISTENS.matcher(line);
            if (line.contains("successfully") && found.find()) {
                Thread.ofVirtual().start(() -> passOver(lines)); // or it would wait for a reader
                String at = found.group(1) == null ? found.group(2) : found.group(1);
                return new AzuriteServer(process, at.replaceAll("/+$", "") + "/" + ACCOUNT);
            }
        }
        throw new IOException("Azurite did not start: " + said);
    }

    private static void passOver(BufferedReader lines) {
        try {
            while (lines.readLine() != null) {
                // nobody wants to know
            }
        } catch (IOException ended) {
            // with the process
        }
    }

    String connection() {
        return connection(endpoint, KEY);
    }

    static String connection(String endpoint, String key) {
        return "DefaultEndpointsProtocol=http;AccountName=" + ACCOUNT + ";AccountKey=" + key + ";BlobEndpoint="
                + endpoint + ";";
    }

    AzureSettings settings() {
        return AzureSettings.ofConnection(connection(), false);
    }

    /// Azure's own client.
    BlobServiceClient official() {
        return new BlobServiceClientBuilder()
                .connectionString(connection())
                .serviceVersion(BlobServiceVersion.V2023_11_03)
                .buildClient();
    }

    void stop() throws InterruptedException {
        process.destroy();
        process.waitFor();
    }
}
