package org.jspdl.testkit.storage;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/// Names in addresses and in XML.
final class Escapes {
    private Escapes() {}

    static String path(String path) {
        return URLEncoder.encode(path, StandardCharsets.UTF_8)
                .replace("%2F", "/")
                .replace("+", "%20");
    }

    static String xml(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
