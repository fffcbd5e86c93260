package org.jspdl.observe.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Writes one HTML document, with its style inside. One thread at a time.
public final class Page {
    private final StringBuilder html = new StringBuilder(64 * 1024);

    private Page() {}

    /// A page of this title, begun.
    public static Page titled(String title) {
        Page page = new Page();
        page.html
                .append("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
                .append("<link rel=\"icon\" href=\"data:,\">\n<title>")
                .append(escape(title))
                .append("</title>\n<style>\n")
                .append(style())
                .append("</style>\n</head>\n<body>\n<main>\n");
        return page;
    }

    private static String style() {
        try (InputStream css = Page.class.getResourceAsStream("style.css")) {
            if (css == null) {
                throw new IllegalStateException("style.css is not where it was built into");
            }
            return new String(css.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// Text that may stand between tags and in attributes.
    public static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /// A text in an element.
    public Page element(String tag, String content) {
        html.append('<')
                .append(tag)
                .append('>')
                .append(escape(content))
                .append("</")
                .append(tag)
                .append(">\n");
        return this;
    }

    /// What is HTML already.
    public Page raw(String fragment) {
        html.append(fragment).append('\n');
        return this;
    }

    /// A table in a card.
    ///
    /// @param texts the columns that hold text, which is aligned left; the others hold numbers
    public Page table(List<String> heads, List<List<String>> rows, List<Integer> texts) {
        html.append("<div class=\"card scroll\"><table><thead><tr>");
        for (int i = 0; i < heads.size(); i++) {
            cell("th", heads.get(i), texts.contains(i));
        }
        html.append("</tr></thead><tbody>\n");
        for (List<String> row : rows) {
            html.append("<tr>");
            for (int i = 0; i < row.size(); i++) {
                cell("td", row.get(i), texts.contains(i));
            }
            html.append("</tr>\n");
        }
        html.append("</tbody></table></div>\n");
        return this;
    }

    private void cell(String tag, String content, boolean isText) {
        html.append('<').append(tag).append(isText ? " class=\"text\">" : ">");
        html.append(escape(content)).append("</").append(tag).append('>');
    }

    /// The document, ended.
    public String document() {
        return html.append("</main>\n</body>\n</html>\n").toString();
    }
}
