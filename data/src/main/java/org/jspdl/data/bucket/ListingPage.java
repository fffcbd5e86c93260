package org.jspdl.data.bucket;

import java.io.ByteArrayInputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StorageException;
import org.jspdl.data.storage.StorageException.Kind;

/// The answer to one request for a listing.
///
/// @param continuation what to ask for the next page with; empty on the last
record ListingPage(List<Entry> entries, Optional<String> continuation) {

    /// @param version its entity tag; empty if the server doesn't say
    record Entry(String key, long size, String version) {}

    /// Neither definitions nor anything outside the text is read.
    static ListingPage parse(Location location, byte[] xml) throws StorageException {
        XMLInputFactory factory = XMLInputFactory.newInstance();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        try {
            XMLStreamReader reader = factory.createXMLStreamReader(new ByteArrayInputStream(xml));
            try {
                return parse(location, reader);
            } finally {
                reader.close();
            }
        } catch (XMLStreamException | IllegalArgumentException failure) {
            throw new StorageException(Kind.UNAVAILABLE, location, "the answer is no listing of a bucket", failure);
        }
    }

    /// @throws StorageException if there is another page, of which the answer does not say how to ask for it: then
    ///     objects would be missing
    private static ListingPage parse(Location location, XMLStreamReader reader)
            throws XMLStreamException, StorageException {
        List<Entry> entries = new ArrayList<>();
        Optional<String> continuation = Optional.empty();
        boolean isListing = false;
        boolean more = false;
        boolean escaped = false;
        while (reader.hasNext()) {
            if (reader.next() == XMLStreamConstants.START_ELEMENT) {
                switch (reader.getLocalName()) {
                    case "ListBucketResult" -> isListing = true;
                    case "EncodingType" -> escaped = reader.getElementText().equals("url");
                    case "IsTruncated" ->
                        more = Boolean.parseBoolean(reader.getElementText().strip());
                    case "NextContinuationToken" -> continuation = Optional.of(reader.getElementText());
                    case "Contents" -> entries.add(entry(reader));
                    default -> {} // what else S3 tells
                }
            }
        }
        if (!isListing) {
            throw new IllegalArgumentException("another answer");
        }
        if (more && continuation.filter(token -> !token.isEmpty()).isEmpty()) {
            throw new StorageException(
                    Kind.UNSUPPORTED,
                    location,
                    "the listing goes on, but the server does not say where: it must know the second version of"
                            + " listings (list-type=2)");
        }
        return new ListingPage(
                escaped ? entries.stream().map(ListingPage::unescaped).toList() : entries,
                more ? continuation : Optional.empty());
    }

    /// Reads what an object is called, how large it is and of which version, in whatever order that is told, up to
    /// its end.
    private static Entry entry(XMLStreamReader reader) throws XMLStreamException {
        String key = "";
        long size = -1;
        String version = "";
        for (int depth = 1; depth > 0; ) {
            int event = reader.next();
            if (event == XMLStreamConstants.START_ELEMENT
                    && depth == 1
                    && reader.getLocalName().equals("Key")) {
                key = reader.getElementText();
            } else if (event == XMLStreamConstants.START_ELEMENT
                    && depth == 1
                    && reader.getLocalName().equals("Size")) {
                size = Long.parseLong(reader.getElementText().strip());
            } else if (event == XMLStreamConstants.START_ELEMENT
                    && depth == 1
                    && reader.getLocalName().equals("ETag")) {
                version = reader.getElementText().strip();
            } else if (event == XMLStreamConstants.START_ELEMENT) {
                depth++;
            } else if (event == XMLStreamConstants.END_ELEMENT) {
                depth--;
            }
        }
        if (key.isEmpty() || size < 0) {
            throw new IllegalArgumentException("an object without a key or a size");
        }
        return new Entry(key, size, version);
    }

    private static Entry unescaped(Entry entry) {
        return new Entry(URLDecoder.decode(entry.key(), StandardCharsets.UTF_8), entry.size(), entry.version());
    }
}
