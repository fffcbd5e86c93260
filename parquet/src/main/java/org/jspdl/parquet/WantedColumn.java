package org.jspdl.parquet;

import java.util.ArrayList;
import java.util.List;
import org.jspdl.input.FormatException;

/// A column that is read, and what of it is given.
///
/// @param column   which one
/// @param values   whether its values are, in a field that is called as it is
/// @param validity whether a field tells which of them are null; nulls within lists then stand as zeros or empty texts,
///     and without it break the sample
record WantedColumn(ParquetColumn column, boolean values, boolean validity) {
    /// The end of the name of a field that says which values are not null.
    static final String VALID = ".valid";
    /// The end of the name of a field that says how long the texts of a list are.
    static final String LENGTHS = ".lengths";

    /// Those that `names` mean, in the order of the file; all if there are none.
    ///
    /// @throws FormatException if there is no such column, or it is of a kind that is not supported
    static List<WantedColumn> of(List<ParquetColumn> columns, List<String> names) {
        for (String name : names) {
            if (columns.stream().noneMatch(column -> gives(column, name) || validates(column, name))) {
                throw FormatException.because("Parquet: there is no column '" + name + "', only "
                        + columns.stream().map(ParquetColumn::name).toList());
            }
        }
        List<WantedColumn> wanted = new ArrayList<>();
        for (ParquetColumn column : columns) {
            boolean values = names.isEmpty() || names.stream().anyMatch(name -> gives(column, name));
            boolean validity = names.stream().anyMatch(name -> validates(column, name));
            if (values || validity) {
                column.check();
                wanted.add(new WantedColumn(column, values, validity));
            }
        }
        return List.copyOf(wanted);
    }

    private static boolean gives(ParquetColumn column, String name) {
        return column.isOf(name) || name.equals(column.name() + LENGTHS);
    }

    private static boolean validates(ParquetColumn column, String name) {
        return name.endsWith(VALID) && column.isOf(name.substring(0, name.length() - VALID.length()));
    }
}
