package org.jspdl.media.internal.ffmpeg;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspdl.media.internal.natives.C;
import org.jspdl.media.internal.natives.Call;

/// `AVDictionary` of libavutil: options in, metadata and unused options out.
public final class AvDictionary {
    // int av_dict_set(AVDictionary **pm, const char *key, const char *value, int flags)
    private static final MethodHandle SET =
            C.function(FfmpegLibraries.AVUTIL, "av_dict_set", C.INT, C.POINTER, C.POINTER, C.POINTER, C.INT);
    // const AVDictionaryEntry *av_dict_iterate(const AVDictionary *m, const AVDictionaryEntry *prev)
    private static final MethodHandle ITERATE =
            C.function(FfmpegLibraries.AVUTIL, "av_dict_iterate", C.POINTER, C.POINTER, C.POINTER);
    // void av_dict_free(AVDictionary **m)
    private static final MethodHandle FREE = C.procedure(FfmpegLibraries.AVUTIL, "av_dict_free", C.POINTER);

    private AvDictionary() {}

    /// A pointer to a new dictionary of `options`, to be given to [#free].
    public static MemorySegment of(Map<String, String> options, Arena arena) {
        MemorySegment slot = arena.allocate(C.POINTER);
        options.forEach((key, value) -> {
            int status = Call.toInt(SET, slot, arena.allocateFrom(key), arena.allocateFrom(value), 0);
            if (status < 0) {
                throw new IllegalArgumentException("option " + key + ": " + AvCodec.errorText(status));
            }
        });
        return slot;
    }

    /// The entries of the dictionary that `slot` points to.
    public static Map<String, String> entriesAt(MemorySegment slot) {
        return entries(slot.get(ValueLayout.ADDRESS, 0));
    }

    static Map<String, String> entries(MemorySegment dictionary) {
        Map<String, String> entries = new LinkedHashMap<>();
        MemorySegment entry = Call.toPointer(ITERATE, dictionary, MemorySegment.NULL);
        while (entry.address() != 0) {
            MemorySegment fields = C.view(entry, 16);
            entries.put(C.text(fields.get(ValueLayout.ADDRESS, 0)), C.text(fields.get(ValueLayout.ADDRESS, 8)));
            entry = Call.toPointer(ITERATE, dictionary, entry);
        }
        return entries;
    }

    /// Frees the dictionary that `slot` points to.
    public static void free(MemorySegment slot) {
        Call.run(FREE, slot);
    }
}
