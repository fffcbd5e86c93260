package org.jspdl.data.dataset;

import org.jspdl.pipeline.StageFunction;

/// Items found by their index, such as images with labels. Safe for use by several threads at once.
///
/// ```java
/// record Numbers(long size) implements Dataset<String> {
///     public String get(long index) {
///         return "number " + index;
///     }
/// }
/// ```
///
/// In which order they are visited, and by which rank, is the matter of a [sampler][org.jspdl.source.Samplers]; in
/// which thread [#get] runs, that of the pipeline: `Pipeline.from(sampler).pipe("get", dataset::get, cpu(4))`.
public interface Dataset<T> {
    /// How many items there are; the same whenever it is asked.
    long size();

    /// Item `index`, owned by the caller. May read, decode and fail; the same item each time.
    ///
    /// @param index from 0 to [#size()] - 1
    T get(long index) throws Exception;

    /// What `function` makes of the items of this dataset, each time they are asked for. It owns them, but an item
    /// for which it fails is closed if that can be done.
    default <R> Dataset<R> map(StageFunction<? super T, ? extends R> function) {
        Dataset<T> self = this;
        return new Dataset<>() {
            @Override
            public long size() {
                return self.size();
            }

            @Override
            public R get(long index) throws Exception {
                T item = self.get(index);
                try {
                    return function.apply(item);
                } catch (Throwable failure) {
                    if (item instanceof AutoCloseable closeable) {
                        try (closeable) {
                            throw failure;
                        }
                    }
                    throw failure;
                }
            }
        };
    }
}
