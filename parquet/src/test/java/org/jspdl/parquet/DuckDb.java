package org.jspdl.parquet;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/// DuckDB, in memory: an independent writer and reader of Parquet.
final class DuckDb implements AutoCloseable {
    private final Connection connection;

    DuckDb() throws SQLException {
        connection = DriverManager.getConnection("jdbc:duckdb:");
    }

    void run(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /// Writes what a query gives; `options` begin with a comma.
    Path write(String query, Path file, String options) throws SQLException {
        run("COPY (" + query + ") TO '" + file + "' (FORMAT parquet" + options + ")");
        return file;
    }

    /// The first column of what a query gives, as texts.
    List<String> column(String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            List<String> all = new ArrayList<>();
            while (rows.next()) {
                all.add(rows.getString(1));
            }
            return all;
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
