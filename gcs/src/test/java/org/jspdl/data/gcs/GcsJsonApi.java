package org.jspdl.data.gcs;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.sun.net.httpserver.HttpExchange;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import java.util.zip.GZIPInputStream;

/// The JSON interface of Google Cloud Storage in small, over the objects of a [GcsServer], written from "Cloud Storage
/// JSON API" of its documentation: listings, metadata, media, uploads in one request and resumable ones. Google's own
/// client speaks it.
final class GcsJsonApi {
    private static final Pattern RANGE = Pattern.compile("bytes=(\\d+)-(\\d*)");
    private static final Pattern SENT = Pattern.compile("bytes (?:(\\d+)-(\\d+)|\\*)/(\\d+|\\*)");
    private static final Pattern BOUNDARY = Pattern.compile("boundary=\"?([^\";]+)\"?");

    private final NavigableMap<String, byte[]> objects;
    private final Map<String, String> names = new ConcurrentHashMap<>();
    private final Map<String, ByteArrayOutputStream> uploads = new ConcurrentHashMap<>();
    private final AtomicInteger requests = new AtomicInteger();

    GcsJsonApi(NavigableMap<String, byte[]> objects) {
        this.objects = objects;
    }

    /// Requests so far.
    int requests() {
        return requests.get();
    }

    GcsServer.Answer answer(HttpExchange exchange) throws IOException {
        requests.incrementAndGet();
        byte[] body = body(exchange);
        String path = exchange.getRequestURI().getRawPath();
        Map<String, String> query = GcsServer.query(exchange.getRequestURI().getRawQuery());
        String rest = path.substring(path.indexOf("/storage/v1/") + "/storage/v1/".length());
        if (!rest.startsWith("b/bucket/o")) {
            return error(404, "The specified bucket does not exist.");
        }
        String name = rest.equals("b/bucket/o")
                ? ""
                : URLDecoder.decode(rest.substring("b/bucket/o/".length()).replace("+", "%2B"), UTF_8);
        return switch (exchange.getRequestMethod()) {
            case "POST" ->
                query.getOrDefault("uploadType", "").equals("resumable")
                        ? begin(exchange, body)
                        : multipart(exchange, body);
            case "PUT" -> resume(exchange, query.getOrDefault("upload_id", ""), body);
            case "GET" -> name.isEmpty() ? listing(query) : object(exchange, name, query);
            default -> error(405, "not here");
        };
    }

    private static byte[] body(HttpExchange exchange) throws IOException {
        String coding = exchange.getRequestHeaders().getFirst("Content-Encoding");
        byte[] body = exchange.getRequestBody().readAllBytes();
        if (coding == null || !coding.equals("gzip")) {
            return body;
        }
        try (GZIPInputStream unpacked = new GZIPInputStream(new ByteArrayInputStream(body))) {
            return unpacked.readAllBytes();
        }
    }

    private static GcsServer.Answer error(int status, String message) {
        JsonObject error = new JsonObject();
        error.addProperty("code", status);
        error.addProperty("message", message);
        JsonObject whole = new JsonObject();
        whole.add("error", error);
        return json(status, whole, Map.of());
    }

    private static GcsServer.Answer json(int status, JsonObject body, Map<String, String> headers) {
        Map<String, String> all = new HashMap<>(headers);
        all.put("Content-Type", "application/json; charset=UTF-8");
        return new GcsServer.Answer(status, body.toString().getBytes(UTF_8), all);
    }

    private static JsonObject resource(String name, byte[] content) {
        CRC32C sum = new CRC32C();
        sum.update(content);
        JsonObject resource = new JsonObject();
        resource.addProperty("kind", "storage#object");
        resource.addProperty("bucket", "bucket");
        resource.addProperty("name", name);
        resource.addProperty("generation", "1");
        resource.addProperty("metageneration", "1");
        resource.addProperty("size", Integer.toString(content.length));
        resource.addProperty("md5Hash", Base64.getEncoder().encodeToString(GcsServer.md5(content)));
        resource.addProperty(
                "crc32c",
                Base64.getEncoder()
                        .encodeToString(ByteBuffer.allocate(4)
                                .putInt((int) sum.getValue())
                                .array()));
        resource.addProperty("etag", "CAE=");
        return resource;
    }

    private GcsServer.Answer listing(Map<String, String> query) {
        String prefix = query.getOrDefault("prefix", "");
        int most = Integer.parseInt(query.getOrDefault("maxResults", "1000"));
        JsonArray items = new JsonArray();
        JsonObject page = new JsonObject();
        page.addProperty("kind", "storage#objects");
        for (Map.Entry<String, byte[]> each :
                objects.tailMap(query.getOrDefault("pageToken", "")).entrySet()) {
            if (each.getKey().startsWith(prefix)) {
                if (items.size() == most) {
                    page.addProperty("nextPageToken", each.getKey());
                    break;
                }
                items.add(resource(each.getKey(), each.getValue()));
            }
        }
        page.add("items", items);
        return json(200, page, Map.of());
    }

    private GcsServer.Answer object(HttpExchange exchange, String name, Map<String, String> query) {
        byte[] content = objects.get(name);
        if (content == null) {
            return error(404, "No such object: bucket/" + name);
        }
        if (!query.getOrDefault("alt", "json").equals("media")) {
            return json(200, resource(name, content), Map.of());
        }
        String asked = exchange.getRequestHeaders().getFirst("Range");
        Matcher range = RANGE.matcher(asked == null ? "" : asked);
        if (!range.matches()) {
            return new GcsServer.Answer(200, content, Map.of("Content-Type", "application/octet-stream"));
        }
        int first = Integer.parseInt(range.group(1));
        int end = range.group(2).isEmpty()
                ? content.length
                : (int) Math.min(content.length, Long.parseLong(range.group(2)) + 1);
        if (first >= end) {
            return error(416, "behind the end");
        }
        return new GcsServer.Answer(
                206,
                Arrays.copyOfRange(content, first, end),
                Map.of("Content-Range", "bytes " + first + "-" + (end - 1) + "/" + content.length));
    }

    private GcsServer.Answer stored(String name, byte[] content) {
        objects.put(name, content);
        return json(200, resource(name, content), Map.of());
    }

    /// A body of two parts: what the object is called, and what it holds.
    private GcsServer.Answer multipart(HttpExchange exchange, byte[] body) {
        Matcher found = BOUNDARY.matcher(exchange.getRequestHeaders().getFirst("Content-Type"));
        if (!found.find()) {
            return error(400, "no boundary");
        }
        String text = new String(body, ISO_8859_1);
        String[] parts = text.split(Pattern.quote("--" + found.group(1)), 4);
        String metadata = new String(content(parts[1]), UTF_8);
        String name =
                JsonParser.parseString(metadata).getAsJsonObject().get("name").getAsString();
        return stored(name, content(parts[2]));
    }

    private static byte[] content(String part) {
        return part.substring(part.indexOf("\r\n\r\n") + 4, part.length() - 2).getBytes(ISO_8859_1);
    }

    private GcsServer.Answer begin(HttpExchange exchange, byte[] body) {
        String id = "resumable-" + requests.get();
        JsonObject metadata = JsonParser.parseString(new String(body, UTF_8)).getAsJsonObject();
        names.put(id, metadata.get("name").getAsString());
        uploads.put(id, new ByteArrayOutputStream());
        String host = "http://" + exchange.getRequestHeaders().getFirst("Host");
        return new GcsServer.Answer(
                200,
                new byte[0],
                Map.of("Location", host + "/upload/storage/v1/b/bucket/o?uploadType=resumable&upload_id=" + id));
    }

    private GcsServer.Answer resume(HttpExchange exchange, String id, byte[] body) throws IOException {
        ByteArrayOutputStream whole = uploads.get(id);
        String said = exchange.getRequestHeaders().getFirst("Content-Range");
        Matcher sent = SENT.matcher(said == null ? "" : said);
        if (whole == null || !sent.matches()) {
            return error(404, "no such upload");
        }
        if (sent.group(1) != null && Long.parseLong(sent.group(1)) != whole.size()) {
            return error(400, "not where the upload stands");
        }
        whole.write(body);
        if (!sent.group(3).equals("*") && Long.parseLong(sent.group(3)) == whole.size()) {
            uploads.remove(id);
            return stored(requireNonNull(names.remove(id)), whole.toByteArray());
        }
        return new GcsServer.Answer(
                308, new byte[0], whole.size() == 0 ? Map.of() : Map.of("Range", "bytes=0-" + (whole.size() - 1)));
    }
}
