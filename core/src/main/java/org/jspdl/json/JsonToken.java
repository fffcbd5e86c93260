package org.jspdl.json;

/// The kind of a JSON value, as [JsonReader#peek] tells it.
public enum JsonToken {
    /// `{...}`
    OBJECT,
    /// `[...]`
    ARRAY,
    /// `"..."`
    STRING,
    /// `-1.5e3`
    NUMBER,
    /// `true` or `false`
    BOOLEAN,
    /// `null`
    NULL
}
