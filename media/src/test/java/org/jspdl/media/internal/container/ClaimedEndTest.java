package org.jspdl.media.internal.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Files of a few bytes, as words of text and of hexadecimal digits, followed in pieces of any length.
class ClaimedEndTest {
    private static final int CONTENT = 40;

    /// The bytes of `'text'` and of `hexadecimal digits`, with 40 bytes of content for `*`.
    private static byte[] file(String words) {
        byte[] file = new byte[0];
        for (String word : words.split("_")) {
            byte[] more = word.equals("*")
                    ? new byte[CONTENT]
                    : word.startsWith("'")
                            ? word.substring(1, word.length() - 1)
                                    .replace('~', ' ')
                                    .getBytes(StandardCharsets.ISO_8859_1)
                            : HexFormat.of().parseHex(word);
            file = Arrays.copyOf(file, file.length + more.length);
            System.arraycopy(more, 0, file, file.length - more.length, more.length);
        }
        return file;
    }

    private static ClaimedEnd follow(byte[] file, int piece) {
        ClaimedEnd end = new ClaimedEnd();
        for (int at = 0; at < file.length; at += piece) {
            end.follow(at, MemorySegment.ofArray(Arrays.copyOfRange(file, at, Math.min(file.length, at + piece))));
        }
        return end;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "00000010_'ftyp'_'isomisom'_00000030_'moov'_*_00000030_'mdat'_*",
                "00000010_'ftyp'_'isomisom'_00000001_'mdat'_0000000000000038_*",
                "00000018_'styp'_'isomisomisomisom'_00000030_'moof'_*_00000030_'mdat'_*",
                "'RIFF'_00000000_'WAVEfmt~'_10000000_00000000000000000000000000000000_'data'_28000000_*",
                "'RIFF'_ffffffff_'AVI~LIST'_28000000_*_'JUNK'_28000000_*_'LIST'_28000000_*",
                "'RF64'_ffffffff_'WAVEds64'_1c000000_00000000000000002800000000000000000000000000000000000000_'data'_ffffffff_*",
                "'BW64'_ffffffff_'WAVEds64'_1c000000_00000000000000002800000000000000000000000000000000000000_'fmt~'_04000000_01000100_'data'_ffffffff_*",
                "'riff'_2e91cf11a5d628db04c10000_0000000000000000_'wave'_f3acd3118cd100c04f8edb8a_'fmt~'_f3acd3118cd100c04f8edb8a_1c00000000000000_01000100_00000000_'data'_f3acd3118cd100c04f8edb8a_4000000000000000_*",
                "3026b2758e66cf11a6d900aa0062ce6c_4000000000000000_*_3626b2758e66cf11a6d900aa0062ce6c_4000000000000000_*",
                "'FORM'_00000000_'AIFFCOMM'_00000028_*_'SSND'_00000028_*",
                "'.snd'_00000018_00000028_000000030000ac4400000001_*",
                "'caff'_00010000_'desc'_0000000000000028_*_'data'_0000000000000028_*",
                "fffb9044_0000000000000000000000000000000000000000000000000000000000000000_'Xing'_00000003_00000010_0000005c_*",
                "fffb9044_0000000000000000000000000000000000000000000000000000000000000000_'Info'_00000002_00000058_*",
                "'ID3'_0400000000000a_00000000000000000000_fff340c4_000000000000000000_'Info'_00000002_00000055_*",
                "1a45dfa3_83_112233_18538067_a8_*",
                "1a45dfa3_0100000000000004_11223344_18538067_0100000000000028_*"
            })
    void aFileEndsWhereItsOutermostLengthsSay(String words) {
        byte[] file = file(words);
        for (int piece = 1; piece <= file.length; piece++) {
            ClaimedEnd end = follow(file, piece);
            assertThat(end.isBehind(file.length))
                    .as("whole, in pieces of %d", piece)
                    .isFalse();
            assertThat(end.isBehind(file.length - 1))
                    .as("cut, in pieces of %d", piece)
                    .isTrue();
            assertThat(end.isBehind(-1)).as("of unknown size").isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "00000010_'ftyp'_'isomisom'_00000000_'mdat'_*",
                "00000010_'ftyp'_'isomisom'_00990000_'what'_*",
                "00000010_'ftyp'_'isomisom'_00990000_'free'_*",
                "00000010_'ftyp'_'isomisom'_00000001_'mdat'_ffffffffffffffff_*",
                "'RIFF'_ffffffff_'WAVEdata'_ffffffff_*",
                "'RIFF'_00000000_'WAVEdata'_00000000_*",
                "'RIFF'_00000000_'WAVEdata'_00ffff7f_*",
                "'RIFF'_ffffffff_'WAVEwhat'_ff000000_*",
                "'RF64'_ffffffff_'WAVEds64'_1c000000_00000000000000000000000000000000000000000000000000000000_'data'_ffffffff_*",
                "'RF64'_ffffffff_'WAVEds64'_1c000000_0000000000000000ffffffffffffffff000000000000000000000000_'data'_ffffffff_*",
                "'RF64'_ffffffff_'WAVEds64'_00000000_00000000000000002800000000000000000000000000000000000000_'data'_ffffffff_*",
                "'RF64'_ffffffff_'WAVEdata'_ffffffff_*",
                "3026b2758e66cf11a6d900aa0062ce6c_4000000000000000_*_3626b2758e66cf11a6d900aa0062ce6c_0000000000000000_*",
                "3026b2758e66cf11a6d900aa0062ce6c_4000000000000000_*_3626b2758e66cf11a6d900aa0062ce6c_3200000000000000_*",
                "3026b2758e66cf11a6d900aa0062ce6c_1000000000000000_*_3626b2758e66cf11a6d900aa0062ce6c_4000000000000000_*",
                "'riff'_2e91cf11a5d628db04c10000_0000000000000000_'wave'_f3acd3118cd100c04f8edb8a_'data'_f3acd3118cd100c04f8edb8a_0000000000000000_*",
                "'riff'_2e91cf11a5d628db04c10000_0000000000000000_'wave'_f3acd3118cd100c04f8edb8a_'data'_f3acd3118cd100c04f8edb8a_ffffffffffffffff_*",
                "1a45dfa3_83_112233_18538067_ff_*",
                "1a45dfa3_83_112233_18538067_01ffffffffffffff_*",
                "1a45dfa3_83_112233_18538067_00_*",
                "'.snd'_00000018_ffffffff_000000030000ac4400000001_*",
                "'caff'_00010000_'data'_ffffffffffffffff_*",
                "fffb9044_0000000000000000000000000000000000000000000000000000000000000000_'Xing'_00000001_00000010_0000005c_*",
                "fffb9044_0000000000000000000000000000000000000000000000000000000000000000_'Xing'_00000002_00000000_*",
                "fffb9044_0000000000000000000000000000000000000000000000000000000000000000_'LAME'_00000003_00000010_0000005c_*",
                "'ID3'_0400000000000a_00000000000000000000_fff14080_000000000000000000_'Info'_00000002_00000055_*",
                "'fLaC'_00000022_*",
                "'OggS'_00020000_*"
            })
    void whatDoesNotSayHowLongItIsIsNotCut(String words) {
        byte[] file = file(words);
        for (int piece = 1; piece <= file.length; piece++) {
            for (int size = 0; size <= file.length; size++) {
                assertThat(follow(file, piece).isBehind(size))
                        .as("in pieces of %d, of %d bytes", piece, size)
                        .isFalse();
            }
        }
    }
}
