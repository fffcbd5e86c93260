package org.jspdl.data.gcs;

import static java.util.Objects.requireNonNull;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Google Cloud Storage in small, in memory, written from "XML API overview" and "XML API multipart uploads" of its
/// documentation, with the token service of "Using OAuth 2.0 for server to server applications". One bucket, `bucket`.
final class GcsServer implements AutoCloseable {
    private static final Pattern RANGE = Pattern.compile("bytes=(\\d+)-(\\d+)");
    private static final Pattern PART =
            Pattern.compile("<PartNumber>(\\d+)</PartNumber><ETag>(?:&quot;|\")?([0-9a-f]+)(?:&quot;|\")?</ETag>");

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final NavigableMap<String, byte[]> objects = new ConcurrentSkipListMap<>();
    private final GcsJsonApi json = new GcsJsonApi(objects);
    private final Map<String, NavigableMap<Integer, byte[]>> uploads = new ConcurrentHashMap<>();
    private final Map<String, String> keys = new ConcurrentHashMap<>();
    private final AtomicInteger tokens = new AtomicInteger();
    private final AtomicInteger requests = new AtomicInteger();
    private volatile boolean refusesTokens;
    private volatile boolean isOpen;

    record Answer(int status, byte[] body, Map<String, String> headers) {
        static Answer xml(int status, String text) {
            return new Answer(
                    status,
                    ("<?xml version='1.0' encoding='UTF-8'?>" + text).getBytes(StandardCharsets.UTF_8),
                    Map.of("Content-Type", "application/xml; charset=UTF-8"));
        }

        static Answer error(int status, String code) {
            return xml(status, "<Error><Code>" + code + "</Code><Message>told by the server</Message></Error>");
        }
    }

    GcsServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/token", exchange -> send(exchange, token(exchange)));
        server.createContext("/", exchange -> send(exchange, answer(exchange)));
        for (String root : new String[] {"/storage/v1/", "/upload/storage/v1/", "/download/storage/v1/"}) {
            server.createContext(
                    root,
                    exchange -> send(
                            exchange,
                            isWelcome(exchange)
                                    ? json.answer(exchange)
                                    : new Answer(401, "{}".getBytes(StandardCharsets.UTF_8), Map.of())));
        }
        server.start();
    }

    String endpoint() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    /// Tokens given so far.
    int tokens() {
        return tokens.get();
    }

    /// Requests for objects and the bucket.
    int requests() {
        return requests.get();
    }

    /// What Google's client speaks with.
    GcsJsonApi json() {
        return json;
    }

    /// Whether a request has a token that was given.
    private boolean isWelcome(HttpExchange exchange) {
        String who = exchange.getRequestHeaders().getFirst("Authorization");
        return isOpen || (who != null && who.matches("Bearer t-\\d+"));
    }

    Map<String, byte[]> objects() {
        return objects;
    }

    Map<String, ?> uploads() {
        return uploads;
    }

    /// From now on the token service gives no token.
    void refuseTokens() {
        refusesTokens = true;
    }

    /// From now on everybody may do everything.
    void open() {
        isOpen = true;
    }

    private Answer token(HttpExchange exchange) throws IOException {
        String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        boolean known = form.contains("grant_type=urn") && form.contains("assertion=");
        if (refusesTokens || !known) {
            return new Answer(
                    400,
                    "{\"error\": \"invalid_grant\", \"error_description\": \"no such account\"}"
                            .getBytes(StandardCharsets.UTF_8),
                    Map.of("Content-Type", "application/json"));
        }
        String json = "{\"access_token\": \"t-" + tokens.incrementAndGet()
                + "\", \"expires_in\": 3599, \"token_type\": \"Bearer\"}";
        return new Answer(200, json.getBytes(StandardCharsets.UTF_8), Map.of("Content-Type", "application/json"));
    }

    private Answer answer(HttpExchange exchange) throws IOException {
        requests.incrementAndGet();
        byte[] body = exchange.getRequestBody().readAllBytes();
        String who = exchange.getRequestHeaders().getFirst("Authorization");
        String path =
                URLDecoder.decode(exchange.getRequestURI().getRawPath().replace("+", "%2B"), StandardCharsets.UTF_8);
        if (!isWelcome(exchange)) {
            return who == null ? Answer.error(403, "AccessDenied") : Answer.error(401, "AuthenticationRequired");
        }
        String[] names = path.substring(1).split("/", 2);
        if (!names[0].equals("bucket")) {
            return Answer.error(404, "NoSuchBucket");
        }
        String key = names.length < 2 ? "" : names[1];
        Map<String, String> query = query(exchange.getRequestURI().getRawQuery());
        return switch (exchange.getRequestMethod()) {
            case "GET", "HEAD" -> key.isEmpty() ? listing(query) : object(exchange, key);
            case "PUT" -> put(exchange, key, query, body);
            case "POST" -> query.containsKey("uploads") ? begin(key) : complete(query, body);
            case "DELETE" -> abort(query);
            default -> Answer.error(405, "MethodNotAllowed");
        };
    }

    static Map<String, String> query(String raw) {
        Map<String, String> query = new HashMap<>();
        for (String each : raw == null ? new String[0] : raw.split("&")) {
            String[] both = each.split("=", 2);
            query.put(both[0], both.length < 2 ? "" : URLDecoder.decode(both[1], StandardCharsets.UTF_8));
        }
        return query;
    }

    private Answer listing(Map<String, String> query) {
        String prefix = query.getOrDefault("prefix", "");
        if (query.containsKey("uploads")) {
            StringBuilder found = new StringBuilder();
            keys.forEach((id, key) -> found.append(
                    key.startsWith(prefix)
                            ? "<Upload><Key>" + key + "</Key><UploadId>" + id + "</UploadId></Upload>"
                            : ""));
            return Answer.xml(200, "<ListMultipartUploadsResult>" + found + "</ListMultipartUploadsResult>");
        }
        int most = Math.min(1_000, Integer.parseInt(query.getOrDefault("max-keys", "1000")));
        String from = query.getOrDefault("continuation-token", "");
        StringBuilder text = new StringBuilder("<ListBucketResult xmlns='http://doc.s3.amazonaws.com/2006-03-01'>"
                + "<Name>bucket</Name><EncodingType>url</EncodingType>");
        int count = 0;
        String next = "";
        for (Map.Entry<String, byte[]> each : objects.tailMap(from).entrySet()) {
            if (!each.getKey().startsWith(prefix)) {
                continue;
            }
            if (count++ == most) {
                next = each.getKey();
                break;
            }
            text.append("<Contents><Key>")
                    .append(URLEncoder.encode(each.getKey(), StandardCharsets.UTF_8))
                    .append("</Key><Generation>1</Generation><ETag>")
                    .append(tag(each.getValue()))
                    .append("</ETag><Size>")
                    .append(each.getValue().length)
                    .append("</Size></Contents>");
        }
        text.append("<IsTruncated>").append(!next.isEmpty()).append("</IsTruncated>");
        if (!next.isEmpty()) {
            text.append("<NextContinuationToken>").append(next).append("</NextContinuationToken>");
        }
        return Answer.xml(200, text + "</ListBucketResult>");
    }

    private Answer object(HttpExchange exchange, String key) {
        byte[] content = objects.get(key);
        if (content == null) {
            return Answer.error(404, "NoSuchKey");
        }
        String condition = exchange.getRequestHeaders().getFirst("If-Match");
        if (condition != null && !condition.equals(tag(content))) {
            return Answer.error(412, "PreconditionFailed");
        }
        String asked = exchange.getRequestHeaders().getFirst("Range");
        if (asked == null) {
            return new Answer(200, content, Map.of("ETag", tag(content)));
        }
        Matcher range = RANGE.matcher(asked);
        if (!range.matches() || Long.parseLong(range.group(1)) >= content.length) {
            return Answer.error(416, "InvalidRange");
        }
        int first = Integer.parseInt(range.group(1));
        int last = Math.min(content.length - 1, Integer.parseInt(range.group(2)));
        return new Answer(
                206,
                java.util.Arrays.copyOfRange(content, first, last + 1),
                Map.of("ETag", tag(content), "Content-Range", "bytes " + first + "-" + last + "/" + content.length));
    }

    private Answer put(HttpExchange exchange, String key, Map<String, String> query, byte[] body) {
        String sum = exchange.getRequestHeaders().getFirst("Content-MD5");
        if (sum != null && !sum.equals(Base64.getEncoder().encodeToString(md5(body)))) {
            return Answer.error(400, "BadDigest");
        }
        if (query.containsKey("uploadId")) {
            NavigableMap<Integer, byte[]> parts = uploads.get(query.get("uploadId"));
            if (parts == null) {
                return Answer.error(404, "NoSuchUpload");
            }
            parts.put(Integer.valueOf(requireNonNull(query.get("partNumber"))), body);
        } else {
            objects.put(key, body);
        }
        return new Answer(200, new byte[0], Map.of("ETag", tag(body)));
    }

    private Answer begin(String key) {
        String id = "upload-" + requests.get();
        uploads.put(id, new ConcurrentSkipListMap<>());
        keys.put(id, key);
        return Answer.xml(
                200,
                "<InitiateMultipartUploadResult><Bucket>bucket</Bucket><Key>" + key + "</Key><UploadId>" + id
                        + "</UploadId></InitiateMultipartUploadResult>");
    }

    private Answer complete(Map<String, String> query, byte[] body) throws IOException {
        String id = query.getOrDefault("uploadId", "");
        NavigableMap<Integer, byte[]> parts = uploads.get(id);
        if (parts == null) {
            return Answer.error(404, "NoSuchUpload");
        }
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        NavigableMap<Integer, byte[]> left = new TreeMap<>(parts);
        Matcher named = PART.matcher(new String(body, StandardCharsets.UTF_8));
        while (named.find()) {
            byte[] part = left.remove(Integer.valueOf(named.group(1)));
            if (part == null || !tag(part).equals("\"" + named.group(2) + "\"")) {
                return Answer.error(400, "InvalidPart");
            }
            whole.write(part);
        }
        String key = requireNonNull(keys.remove(id));
        uploads.remove(id);
        objects.put(key, whole.toByteArray());
        return Answer.xml(200, "<CompleteMultipartUploadResult><Key>" + key + "</Key></CompleteMultipartUploadResult>");
    }

    private Answer abort(Map<String, String> query) {
        String id = query.getOrDefault("uploadId", "");
        keys.remove(id);
        return uploads.remove(id) == null ? Answer.error(404, "NoSuchUpload") : new Answer(204, new byte[0], Map.of());
    }

    private static void send(HttpExchange exchange, Answer answer) throws IOException {
        try (exchange) {
            answer.headers().forEach(exchange.getResponseHeaders()::set);
            boolean head = exchange.getRequestMethod().equals("HEAD");
            if (head) {
                exchange.getResponseHeaders().set("Content-Length", Integer.toString(answer.body().length));
            }
            exchange.sendResponseHeaders(
                    answer.status(), head || answer.body().length == 0 ? -1 : answer.body().length);
            if (!head && answer.body().length > 0) {
                exchange.getResponseBody().write(answer.body());
            }
        }
    }

    private static String tag(byte[] content) {
        return "\"" + HexFormat.of().formatHex(md5(content)) + "\"";
    }

    static byte[] md5(byte[] content) {
        try {
            return MessageDigest.getInstance("MD5").digest(content);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
