package org.jspdl.data.azure;

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
record AzureListingPage(List<Entry> entries, Optional<String> continuation) {

    /// @param folder whether it only marks a folder: in accounts with hierarchical names, and by the tools of
    ///     Hadoop
    /// @param version its entity tag; empty if the server doesn't say
    record Entry(String name, long size, boolean folder, String version) {}

    /// Neither definitions nor anything outside the text is read.
    static AzureListingPage parse(Location location, byte[] xml) throws StorageException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        try {
            XMLStreamReader reader = factory.createXMLStreamReader(new ByteArrayInputStream(xml));
            try {
                return parse(reader);
            } finally {
                reader.close();
            }
        } catch (XMLStreamException | IllegalArgumentException failure) {
            throw new StorageException(Kind.UNAVAILABLE, location, "the answer is no listing of a container", failure);
        }
    }

    private static AzureListingPage parse(XMLStreamReader reader) throws XMLStreamException {
        List<Entry> entries = new ArrayList<>();
        String marker = "";
        boolean isListing = false;
        String name = "";
        long size = -1;
        boolean folder = false;
        String version = "";
        while (reader.hasNext()) {
            switch (reader.next()) {
                case XMLStreamConstants.START_ELEMENT -> {
                    switch (reader.getLocalName()) {
                        case "EnumerationResults" -> isListing = true;
                        case "NextMarker" -> marker = reader.getElementText();
                        case "Name" -> name = name(reader);
                        case "Content-Length" -> size = Long.parseLong(reader.getElementText());
                        case "Etag" -> version = reader.getElementText();
                        case "ResourceType" -> folder |= reader.getElementText().equals("directory");
                        case "hdi_isfolder", "Hdi_isfolder" -> folder |= Boolean.parseBoolean(reader.getElementText());
                        default -> {} // what else Azure tells
                    }
                }
                case XMLStreamConstants.END_ELEMENT -> {
                    if (reader.getLocalName().equals("Blob")) {
                        if (name.isEmpty() || size < 0) {
                            throw new IllegalArgumentException("a blob without a name or a length");
                        }
                        entries.add(new Entry(name, size, folder, version));
                        name = "";
                        size = -1;
                        folder = false;
                        version = "";
                    }
                }
                default -> {} // text between elements
            }
        }
        if (!isListing) {
            throw new IllegalArgumentException("another answer");
        }
        return new AzureListingPage(List.copyOf(entries), marker.isEmpty() ? Optional.empty() : Optional.of(marker));
    }

    /// Names that XML has no characters for come escaped.
    private static String name(XMLStreamReader reader) throws XMLStreamException {
        boolean escaped = Boolean.parseBoolean(reader.getAttributeValue(null, "Encoded"));
        String text = reader.getElementText();
        return escaped ? URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8) : text;
    }
}
