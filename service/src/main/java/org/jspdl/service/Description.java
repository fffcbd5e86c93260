package org.jspdl.service;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspdl.data.image.ImageService;
import org.jspdl.json.Json;
import org.jspdl.service.exchange.Exchanges;

/// What a worker serves, as JSON that `/v1/dataset` gives. Immutable.
///
/// @param snapshot of the files that the images are of
/// @param order    the identity of their order
/// @param seed     of what is random in decoding
/// @param image    the spec as bytes, as text
/// @param stage    the name of the stage that decodes, if something is left to chance
/// @param rowBytes of an image
/// @param versions of decoders, by name
/// @param places   in an epoch
/// @param most     places of a piece
/// @param atOnce   pieces that the worker makes at once, which is no part of what it serves
/// @param classes  their names
record Description(
        String snapshot,
        String order,
        long seed,
        String image,
        String stage,
        long rowBytes,
        Map<String, String> versions,
        long places,
        int most,
        int atOnce,
        List<String> classes) {
    private static final long FORMAT = 1;
    /// Of workers that do not say it.
    private static final long USUAL_AT_ONCE = 2;

    private static final long MOST_AT_ONCE = 65_536;
    /// What a loader takes a worker's word for, at most: a piece of one image is leased before anything else is
    /// known.
    private static final long MOST_ROW_BYTES = 4L << 30;

    private static final long MOST_PLACES = 1L << 52;
    /// No description is longer, in bytes.
    static final int LONGEST = Exchanges.MOST_OTHER;

    Description {
        versions = Map.copyOf(versions);
        classes = List.copyOf(classes);
    }

    /// The hash of everything that decides what images become.
    String fingerprint() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("format", FORMAT);
        all.put("snapshot", snapshot);
        all.put("order", order);
        all.put("seed", seed);
        all.put("image", image);
        all.put("stage", stage);
        all.put("versions", new TreeMap<>(versions));
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256")
                            .digest(Json.write(all).getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every Java has SHA-256", missing);
        }
    }

    /// As a loader sees it.
    ///
    /// @param mostPlaces what the loader wants at once at most
    ImageService.Served served(int mostPlaces) {
        return new ImageService.Served(
                fingerprint(), places, order, seed, image, stage, rowBytes, Math.min(most, mostPlaces), classes);
    }

    /// What of this differs from `other`, in a few words.
    String unlike(Description other) {
        List<String> differ = new ArrayList<>();
        difference(differ, "dataset", snapshot, other.snapshot);
        difference(differ, "order", order, other.order);
        difference(differ, "seed", seed, other.seed);
        difference(differ, "image", image, other.image);
        difference(differ, "stage", stage, other.stage);
        difference(differ, "decoders", new TreeMap<>(versions), new TreeMap<>(other.versions));
        return String.join("; ", differ);
    }

    private static void difference(List<String> differ, String what, Object here, Object there) {
        if (!here.equals(there)) {
            differ.add("its " + what + " is " + there + " and not " + here);
        }
    }

    String toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("jspdl_service", FORMAT);
        json.put("fingerprint", fingerprint());
        json.put("snapshot", snapshot);
        json.put("order", order);
        json.put("seed", seed);
        json.put("image", image);
        json.put("stage", stage);
        json.put("row_bytes", rowBytes);
        json.put("versions", new TreeMap<>(versions));
        json.put("places", places);
        json.put("most_places", (long) most);
        json.put("at_once", (long) atOnce);
        json.put("classes", classes);
        return Json.write(json) + "\n";
    }

    /// Reads what [#toJson] wrote.
    ///
    /// @throws IllegalArgumentException if it is something else, or contradicts itself
    static Description parse(String text) {
        if (!(Json.parse(text) instanceof Map<?, ?> json)) {
            throw new IllegalArgumentException("what is served is described by an object");
        }
        if (number(json, "jspdl_service") != FORMAT) {
            throw new IllegalArgumentException("the worker speaks version " + number(json, "jspdl_service")
                    + " of the service, and this JSPDL version " + FORMAT);
        }
        Map<String, String> versions = new TreeMap<>();
        if (json.get("versions") instanceof Map<?, ?> all) {
            all.forEach((key, value) -> versions.put(String.valueOf(key), String.valueOf(value)));
        }
        List<String> classes = json.get("classes") instanceof List<?> all
                ? all.stream().map(String::valueOf).toList()
                : List.of();
        Description described = new Description(
                text(json, "snapshot"),
                text(json, "order"),
                number(json, "seed"),
                text(json, "image"),
                text(json, "stage"),
                number(json, "row_bytes"),
                versions,
                number(json, "places"),
                Math.toIntExact(number(json, "most_places")),
                (int) Math.clamp(
                        json.containsKey("at_once") ? number(json, "at_once") : USUAL_AT_ONCE, 1, MOST_AT_ONCE),
                classes);
        if (!described.fingerprint().equals(text(json, "fingerprint"))) {
            throw new IllegalArgumentException("its fingerprint is not that of what it describes");
        }
        if (described.places < 0
                || described.places > MOST_PLACES
                || described.most < 1
                || described.rowBytes < 1
                || described.rowBytes > MOST_ROW_BYTES) {
            throw new IllegalArgumentException("it has " + described.places + " places, " + described.most
                    + " of a piece, and " + described.rowBytes + " bytes of an image");
        }
        return described;
    }

    private static String text(Map<?, ?> json, String key) {
        if (json.get(key) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("it has no valid '" + key + "'");
    }

    private static long number(Map<?, ?> json, String key) {
        if (json.get(key) instanceof Long number) {
            return number;
        }
        throw new IllegalArgumentException("it has no valid '" + key + "'");
    }
}
