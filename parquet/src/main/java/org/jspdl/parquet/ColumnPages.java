package org.jspdl.parquet;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.zip.CRC32;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DataPageV1;
import org.apache.parquet.column.page.DataPageV2;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Util;
import org.jspdl.input.FormatException;
import org.jspecify.annotations.Nullable;

/// The pages of one column of one row group, from memory. parquet-java's decoders ask for them, one at a time.
final class ColumnPages implements PageReadStore, PageReader {
    private final MemorySegment chunk;
    private final ColumnMetaData data;
    private final ColumnDescriptor column;
    private final long rows;
    private final boolean verified;
    private final PageBudget budget;
    private long at;
    private long valuesSeen;
    private int pageBytes;
    private @Nullable DictionaryPage dictionary;
    private @Nullable PageHeader pending;

    ColumnPages(
            MemorySegment chunk,
            ColumnMetaData data,
            ColumnDescriptor column,
            long rows,
            boolean verified,
            PageBudget budget) {
        this.chunk = chunk;
        this.data = data;
        this.column = column;
        this.rows = rows;
        this.verified = verified;
        this.budget = budget;
    }

    @Override
    public PageReader getPageReader(ColumnDescriptor descriptor) {
        return this;
    }

    @Override
    public long getRowCount() {
        return rows;
    }

    @Override
    public long getTotalValueCount() {
        return data.getNum_values();
    }

    @Override
    public @Nullable DictionaryPage readDictionaryPage() {
        PageHeader header = header();
        if (dictionary == null && header != null && header.getType() == PageType.DICTIONARY_PAGE) {
            pending = null;
            int values = header.getDictionary_page_header().getNum_values();
            if (values < 0 || values > header.getUncompressed_page_size()) { // memory is taken for each of them
                throw wrong("has a dictionary of " + values + " values in " + header.getUncompressed_page_size()
                        + " bytes");
            }
            dictionary = new DictionaryPage(
                    BytesInput.from(decompressed(header, 0)),
                    values,
                    encoding(header.getDictionary_page_header().getEncoding()));
        }
        return dictionary;
    }

    @Override
    public @Nullable DataPage readPage() {
        while (valuesSeen < data.getNum_values()) {
            PageHeader header = header();
            if (header == null) {
                throw wrong("has fewer pages than values");
            }
            pending = null;
            if (isEmpty(header)) { // pyarrow writes some behind the dictionary's end
                at += header.getCompressed_page_size();
                continue;
            }
            switch (header.getType()) {
                case DATA_PAGE -> {
                    return first(header, header.getData_page_header());
                }
                case DATA_PAGE_V2 -> {
                    return second(header, header.getData_page_header_v2());
                }
                default -> at += header.getCompressed_page_size(); // an index, or a dictionary that nobody asked for
            }
        }
        return null;
    }

    private static boolean isEmpty(PageHeader header) {
        return switch (header.getType()) {
            case DATA_PAGE -> header.getData_page_header().getNum_values() == 0;
            case DATA_PAGE_V2 -> header.getData_page_header_v2().getNum_values() == 0;
            default -> false;
        };
    }

    private DataPage first(PageHeader page, DataPageHeader header) {
        valuesSeen += positive(header.getNum_values());
        return new DataPageV1(
                BytesInput.from(decompressed(page, 0)),
                header.getNum_values(),
                page.getUncompressed_page_size(),
                statistics(),
                encoding(header.getRepetition_level_encoding()),
                encoding(header.getDefinition_level_encoding()),
                encoding(header.getEncoding()));
    }

    private DataPage second(PageHeader page, DataPageHeaderV2 header) {
        valuesSeen += positive(header.getNum_values());
        int repetition = header.getRepetition_levels_byte_length();
        int definition = header.getDefinition_levels_byte_length();
        if (repetition < 0 || definition < 0 || repetition > page.getCompressed_page_size() - definition) {
            throw wrong("has levels larger than their page");
        }
        byte[] levels = bytes(at, repetition + definition);
        byte[] values = header.isIs_compressed()
                ? decompressed(page, repetition + definition)
                : bytesAndPass(page, repetition + definition);
        return DataPageV2.uncompressed(
                header.getNum_rows(),
                header.getNum_nulls(),
                header.getNum_values(),
                BytesInput.from(levels, 0, repetition),
                BytesInput.from(levels, repetition, definition),
                encoding(header.getEncoding()),
                BytesInput.from(values),
                statistics());
    }

    private Statistics<?> statistics() {
        return Statistics.noopStats(column.getPrimitiveType());
    }

    private int positive(int count) {
        if (count <= 0) {
            throw wrong("has a page of " + count + " values");
        }
        return count;
    }

    private byte[] bytesAndPass(PageHeader page, int skipped) {
        byte[] content = bytes(at + skipped, page.getCompressed_page_size() - skipped);
        at += page.getCompressed_page_size();
        return content;
    }

    /// The content of the page at `at` behind its first `skipped` bytes, decompressed; moves behind the page.
    private byte[] decompressed(PageHeader page, int skipped) {
        MemorySegment compressed = chunk.asSlice(at + skipped, page.getCompressed_page_size() - skipped);
        at += page.getCompressed_page_size();
        int before = page.getType() == PageType.DICTIONARY_PAGE ? 0 : pageBytes; // a dictionary is kept
        int now = budget.replace(before, page.getUncompressed_page_size());
        pageBytes = page.getType() == PageType.DICTIONARY_PAGE ? pageBytes : now;
        return Decompression.of(compressed, page.getUncompressed_page_size() - skipped, data.getCodec());
    }

    private byte[] bytes(long from, int count) {
        return chunk.asSlice(from, count).toArray(ValueLayout.JAVA_BYTE);
    }

    private static Encoding encoding(org.apache.parquet.format.Encoding encoding) {
        return Encoding.valueOf(encoding.name());
    }

    /// The header of the next page, which is read once; null behind the last page.
    private @Nullable PageHeader header() {
        if (pending == null && at < chunk.byteSize()) {
            try {
                PageHeader header = Util.readPageHeader(new ChunkInput());
                long size = header.getCompressed_page_size();
                if (size < 0 || size > chunk.byteSize() - at || header.getUncompressed_page_size() < 0) {
                    throw wrong("has a page of " + size + " bytes at byte " + at + " of " + chunk.byteSize());
                }
                if (verified && header.isSetCrc()) {
                    verify(header);
                }
                pending = header;
            } catch (IOException damaged) {
                throw new UncheckedIOException(damaged);
            }
        }
        return pending;
    }

    /// Compares the checksum over what the page is as stored, compressed and with its levels.
    private void verify(PageHeader header) {
        CRC32 crc = new CRC32();
        crc.update(chunk.asSlice(at, header.getCompressed_page_size()).asByteBuffer());
        if ((int) crc.getValue() != header.getCrc()) {
            throw wrong(String.format(
                    "has a page at byte %,d of its %,d whose checksum is %08x and should be %08x: the page is damaged",
                    at, chunk.byteSize(), crc.getValue(), header.getCrc()));
        }
    }

    private FormatException wrong(String what) {
        return FormatException.because("Parquet: the column '" + String.join(".", column.getPath()) + "' " + what);
    }

    /// The bytes of the chunk from `at` on, which it moves.
    private final class ChunkInput extends InputStream {
        @Override
        public int read() {
            return at < chunk.byteSize() ? chunk.get(ValueLayout.JAVA_BYTE, at++) & 0xFF : -1;
        }

        @Override
        public int read(byte[] target, int from, int length) {
            int n = (int) Math.min(length, chunk.byteSize() - at);
            if (n <= 0) {
                return length == 0 ? 0 : -1;
            }
            MemorySegment.copy(chunk, ValueLayout.JAVA_BYTE, at, target, from, n);
            at += n;
            return n;
        }
    }
}
