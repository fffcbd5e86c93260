package org.jspdl.media.internal.flac;

import static org.jspdl.media.internal.natives.C.INT;
import static org.jspdl.media.internal.natives.C.LONG_LONG;
import static org.jspdl.media.internal.natives.C.POINTER;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import org.jspdl.media.internal.natives.C;
import org.jspdl.media.internal.natives.Call;
import org.jspecify.annotations.Nullable;

/// The functions of libFLAC that we call, of versions 1.3 to 1.5. It is optional.
final class LibFlac {
    // FLAC__StreamDecoderReadCallback: (decoder, FLAC__byte buffer[], size_t *bytes, void *client)
    static final FunctionDescriptor READ = FunctionDescriptor.of(INT, POINTER, POINTER, POINTER, POINTER);
    // FLAC__StreamDecoderSeekCallback: (decoder, FLAC__uint64 offset, void *client)
    static final FunctionDescriptor SEEK = FunctionDescriptor.of(INT, POINTER, LONG_LONG, POINTER);
    // FLAC__StreamDecoderTellCallback and ...LengthCallback: (decoder, FLAC__uint64 *offset, void *client)
    static final FunctionDescriptor TELL = FunctionDescriptor.of(INT, POINTER, POINTER, POINTER);
    // FLAC__StreamDecoderEofCallback: (decoder, void *client)
    static final FunctionDescriptor EOF = FunctionDescriptor.of(INT, POINTER, POINTER);
    // FLAC__StreamDecoderWriteCallback: (decoder, const FLAC__Frame *frame, const FLAC__int32 *const buffer[],
    // client)
    static final FunctionDescriptor WRITE = FunctionDescriptor.of(INT, POINTER, POINTER, POINTER, POINTER);
    // FLAC__StreamDecoderErrorCallback: (decoder, FLAC__StreamDecoderErrorStatus status, void *client)
    static final FunctionDescriptor ERROR = FunctionDescriptor.ofVoid(POINTER, INT, POINTER);

    /// The library, or null where there is none.
    static final @Nullable LibFlac INSTANCE = find();

    // FLAC__StreamDecoder *FLAC__stream_decoder_new(void)
    private final MethodHandle make;
    // void FLAC__stream_decoder_delete(FLAC__StreamDecoder *decoder)
    private final MethodHandle delete;
    // FLAC__StreamDecoderInitStatus FLAC__stream_decoder_init_stream(decoder, read, seek, tell, length, eof, write,
    //         metadata, error, void *client)
    private final MethodHandle init;
    // FLAC__bool FLAC__stream_decoder_finish(FLAC__StreamDecoder *decoder)
    private final MethodHandle finish;
    // FLAC__bool FLAC__stream_decoder_process_until_end_of_stream(FLAC__StreamDecoder *decoder)
    private final MethodHandle process;
    // FLAC__bool FLAC__stream_decoder_seek_absolute(FLAC__StreamDecoder *decoder, FLAC__uint64 sample)
    private final MethodHandle seek;

    private LibFlac(SymbolLookup library) {
        make = C.function(library, "FLAC__stream_decoder_new", POINTER);
        delete = C.procedure(library, "FLAC__stream_decoder_delete", POINTER);
        init = C.function(
                library,
                "FLAC__stream_decoder_init_stream",
                INT,
                POINTER,
                POINTER,
                POINTER,
                POINTER,
                POINTER,
                POINTER,
                POINTER,
                POINTER,
                POINTER,
                POINTER);
        finish = C.function(library, "FLAC__stream_decoder_finish", INT, POINTER);
        process = C.function(library, "FLAC__stream_decoder_process_until_end_of_stream", INT, POINTER);
        seek = C.function(library, "FLAC__stream_decoder_seek_absolute", INT, POINTER, LONG_LONG);
    }

    @SuppressWarnings("restricted")
    private static @Nullable LibFlac find() {
        for (String name : new String[] {"libFLAC.so.14", "libFLAC.so.12", "libFLAC.so.8", "libFLAC.dylib"}) {
            try {
                return new LibFlac(SymbolLookup.libraryLookup(name, Arena.global()));
            } catch (IllegalArgumentException | UnsatisfiedLinkError | IllegalCallerException absent) {
                // the next name may be there; without any, FFmpeg decodes
            }
        }
        return null;
    }

    /// A new decoder; NULL if there is no memory.
    MemorySegment make() {
        return Call.toPointer(make);
    }

    /// Frees a decoder.
    void delete(MemorySegment decoder) {
        Call.run(delete, decoder);
    }

    /// Begins a file; 0, or why that can't be.
    int init(MemorySegment decoder, FlacCallbacks callbacks, long client) {
        try {
            return (int) init.invokeExact(
                    decoder,
                    callbacks.read(),
                    callbacks.seek(),
                    callbacks.tell(),
                    callbacks.length(),
                    callbacks.eof(),
                    callbacks.write(),
                    MemorySegment.NULL,
                    callbacks.error(),
                    MemorySegment.ofAddress(client));
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    /// Ends a file.
    void finish(MemorySegment decoder) {
        toBoolean(finish, decoder);
    }

    /// Decodes up to the end, or until a callback says to stop; false after a failure.
    boolean process(MemorySegment decoder) {
        return toBoolean(process, decoder);
    }

    /// Goes to a sample, which the next frame begins with; false if that can't be done.
    boolean seek(MemorySegment decoder, long sample) {
        try {
            return (int) seek.invokeExact(decoder, sample) != 0;
        } catch (Throwable failure) {
            throw C.thrown(failure);
        }
    }

    private static boolean toBoolean(MethodHandle function, MemorySegment decoder) {
        return Call.toInt(function, decoder) != 0;
    }
}
