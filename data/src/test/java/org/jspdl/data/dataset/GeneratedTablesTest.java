package org.jspdl.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspdl.data.storage.Storage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Random texts of quotes, separators, line breaks, marks and letters as tables, beside a parser that goes from sign to
/// sign: each row has the same values, or is refused by both. 2,000 texts, with `-Pcampaign` 100,000, or
/// `-Djspdl.campaign.count=N`.
class GeneratedTablesTest {
    private static final int COUNT =
            Integer.getInteger("jspdl.campaign.count", Boolean.getBoolean("campaign") ? 100_000 : 2_000);
    private static final long SEED = Long.getLong("jspdl.campaign.seed", 20261128);
    private static final String MARK = "\uFEFF";
    private static final List<String> PARTS = List.of(
            "\"",
            "\"",
            "\"\"",
            ",",
            ",",
            "\t",
            "\n",
            "\r\n",
            "\r",
            "a",
            "b c",
            "\u00e9",
            "\u732b",
            "\ud83d\udc08",
            MARK,
            "\0",
            "\\",
            "'",
            " ",
            "\u2028");

    @TempDir
    Path folder;

    /// A row; without values if it is malformed, behind which nothing is said of what follows.
    private record Row(List<String> values, boolean malformed) {}

    @Test
    void rowsAreThoseOfAParserThatGoesFromSignToSign() throws Exception {
        try (Storage storage = Storage.open()) {
            for (int i = 0; i < COUNT; i++) {
                Random random = new Random(SEED + i);
                char separator = random.nextInt(4) == 0 ? '\t' : ',';
                String header = "x" + separator + "y" + (random.nextBoolean() ? "\r\n" : "\n");
                String text = header + (random.nextBoolean() ? rows(random, separator) : signs(random));
                Path file = folder.resolve(separator == ',' ? "table.csv" : "table.tsv");
                Files.writeString(file, random.nextInt(3) == 0 ? MARK + text : text);

                compare(storage, file, parsed(text, separator), "seed " + (SEED + i));
            }
        }
    }

    private static void compare(Storage storage, Path file, List<Row> expected, String shown) throws Exception {
        Row last = expected.getLast();
        if (last.malformed()) { // its end may be looked for in vain, which the whole table is refused for
            try (Manifest manifest = Manifest.open(storage, file.toString())) {
                compare(manifest, expected.subList(1, expected.size() - 1), shown);
                long row = expected.size() - 2L;
                assertThatThrownBy(() -> manifest.get(row)).as(shown).isInstanceOf(DatasetException.class);
            } catch (java.io.IOException refused) {
                assertThat(refused).as(shown).hasMessageContaining("never closed");
            }
            return;
        }
        try (Manifest manifest = Manifest.open(storage, file.toString())) {
            assertThat(manifest.size()).as(shown).isEqualTo(expected.size() - 1L);
            compare(manifest, expected.subList(1, expected.size()), shown);
        }
    }

    private static void compare(Manifest manifest, List<Row> expected, String shown) throws Exception {
        for (int i = 0; i < expected.size(); i++) {
            List<String> values = expected.get(i).values();
            int row = i;
            if (values.size() == 2) {
                assertThat(manifest.get(row).text("x")).as(shown).isEqualTo(values.getFirst());
                assertThat(manifest.get(row).text("y")).as(shown).isEqualTo(values.getLast());
            } else {
                assertThatThrownBy(() -> manifest.get(row))
                        .as(shown)
                        .isInstanceOf(DatasetException.class)
                        .hasMessageContaining(values.size() + " values for 2 columns");
            }
        }
    }

    /// Any signs.
    private static String signs(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(60); i > 0; i--) {
            text.append(PARTS.get(random.nextInt(PARTS.size())));
        }
        return text.toString();
    }

    /// Values as they should be written, rows of which some are ragged.
    private static String rows(Random random, char separator) {
        StringBuilder text = new StringBuilder();
        for (int row = random.nextInt(40); row > 0; row--) {
            int columns = random.nextInt(8) == 0 ? 1 + random.nextInt(4) : 2;
            for (int i = 0; i < columns; i++) {
                String value = value(random);
                text.append(i == 0 ? "" : String.valueOf(separator))
                        .append('"')
                        .append(value.replace("\"", "\"\""))
                        .append('"');
            }
            text.append(row == 1 && random.nextBoolean() ? "" : random.nextBoolean() ? "\n" : "\r\n");
        }
        return text.toString();
    }

    private static String value(Random random) {
        StringBuilder value = new StringBuilder();
        for (int i = random.nextInt(5); i > 0; i--) {
            value.append(PARTS.get(random.nextInt(PARTS.size())));
        }
        return value.toString();
    }

    /// All rows, the header among them, up to the first that is malformed.
    private static List<Row> parsed(String text, char separator) {
        List<Row> rows = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            if (text.charAt(at) == '\n' || text.charAt(at) == '\r') {
                at++;
                continue;
            }
            List<String> values = new ArrayList<>();
            boolean more = true;
            while (more) {
                StringBuilder value = new StringBuilder();
                if (at < text.length() && text.charAt(at) == '"') {
                    at++;
                    boolean open = true;
                    while (open) {
                        if (at == text.length()) {
                            rows.add(new Row(List.of(), true));
                            return rows;
                        }
                        char sign = text.charAt(at++);
                        boolean twice = sign == '"' && at < text.length() && text.charAt(at) == '"';
                        open = sign != '"' || twice;
                        if (open) {
                            value.append(sign);
                        }
                        at += twice ? 1 : 0;
                    }
                } else {
                    while (at < text.length() && text.charAt(at) != separator && !endsRow(text, at)) {
                        value.append(text.charAt(at++));
                    }
                    if (value.indexOf("\r") >= 0) {
                        rows.add(new Row(List.of(), true));
                        return rows;
                    }
                }
                values.add(value.toString());
                more = at < text.length() && text.charAt(at) == separator;
                if (!more && at < text.length() && !endsRow(text, at)) {
                    rows.add(new Row(List.of(), true));
                    return rows;
                }
                at += more ? 1 : 0;
            }
            rows.add(new Row(values, false));
        }
        return rows;
    }

    private static boolean endsRow(String text, int at) {
        return text.charAt(at) == '\n'
                || (text.charAt(at) == '\r' && (at + 1 == text.length() || text.charAt(at + 1) == '\n'));
    }
}
