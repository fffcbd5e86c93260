package org.jspdl.data.index;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.input.FormatException;
import org.jspdl.json.JsonReader;
import org.jspdl.json.JsonToken;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;

/// The `index.json` of MosaicML's Streaming, which names all shards of a dataset in MDS.
final class StreamingIndex {
    static final String NAME = "index.json";
    private static final long LARGEST = 1L << 28;

    private StreamingIndex() {}

    /// The shards that an index names, uncompressed; none if it is another program's file.
    ///
    /// @throws FormatException if it is no JSON
    static List<Location> shards(Storage storage, Location index) throws IOException {
        byte[] text;
        try (BufferPool pool = BufferPool.unbounded("index of shards");
                StoredObject object = storage.object(index);
                Lease lease = object.readAll(pool, LARGEST)) {
            text = lease.segment().toArray(ValueLayout.JAVA_BYTE);
        }
        try {
            return names(JsonReader.utf8(text)).stream()
                    .map(index.parent()::resolve)
                    .toList();
        } catch (IllegalArgumentException damaged) {
            throw FormatException.because("the index of the shards is damaged: " + damaged.getMessage())
                    .withSource(index.toString());
        }
    }

    private static List<String> names(JsonReader json) {
        List<String> names = new ArrayList<>();
        if (json.peek() != JsonToken.OBJECT) {
            return names;
        }
        json.beginObject();
        while (json.hasNext()) {
            if (json.nextName().equals("shards") && json.peek() == JsonToken.ARRAY) {
                json.beginArray();
                while (json.hasNext()) {
                    member(json, "raw_data", names);
                }
                json.endArray();
            } else {
                json.skipValue();
            }
        }
        json.endObject();
        return names;
    }

    /// Finds `basename`, in the object that is called so in this one.
    private static void member(JsonReader json, String object, List<String> names) {
        if (json.peek() != JsonToken.OBJECT) {
            json.skipValue();
            return;
        }
        json.beginObject();
        while (json.hasNext()) {
            String name = json.nextName();
            if (name.equals(object)) {
                member(json, "", names);
            } else if (object.isEmpty() && name.equals("basename") && json.peek() == JsonToken.STRING) {
                names.add(json.nextString());
            } else {
                json.skipValue();
            }
        }
        json.endObject();
    }
}
