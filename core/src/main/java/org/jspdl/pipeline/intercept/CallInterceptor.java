package org.jspdl.pipeline.intercept;

import java.util.List;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.StageFunction;
import org.jspdl.pipeline.StageOptions;

/// Stands around each call of a stage's function. It may look at the item and the result, replace either, or drop the
/// item.
///
/// ```java
/// CallInterceptor<Path, Image> small = (stage, path, call) ->
///         Files.size(path) > 50_000_000 ? CallResult.dropped() : CallResult.of(call.apply(path));
/// Pipeline<Image> images = CallInterceptor.pipe(paths, "decode", this::decode, small, cpu(4));
/// ```
///
/// It is part of the stage's call: its time counts as the stage's, what it throws fails the item as what the function
/// throws does, and it is called by several threads at once, again for each attempt. A dropped item counts as filtered.
/// Whether an item is dropped should follow from the item alone: a resumed run asks again.
///
/// @param <T> what the stage takes
/// @param <R> what it makes of it
@FunctionalInterface
public interface CallInterceptor<T, R> {
    /// Calls `call`, or does not. It owns `item` as a function does: if it drops or replaces an item that must be
    /// closed, it closes it.
    ///
    /// @param stage the stage's name
    /// @param call  the function, or the next interceptor; may be called with another item, and more than once
    /// @return what the stage passes on
    CallResult<R> intercept(String stage, T item, StageFunction<T, CallResult<R>> call) throws Exception;

    /// `pipeline` with a stage as by [Pipeline#pipe], each call of which goes through `interceptor`.
    static <T, R> Pipeline<R> pipe(
            Pipeline<T> pipeline,
            String name,
            StageFunction<T, R> function,
            CallInterceptor<T, R> interceptor,
            StageOptions options) {
        return pipe(pipeline, name, function, List.of(interceptor), options);
    }

    /// The same with several interceptors: the first is called first, and `call` of each is the next.
    static <T, R> Pipeline<R> pipe(
            Pipeline<T> pipeline,
            String name,
            StageFunction<T, R> function,
            List<? extends CallInterceptor<T, R>> interceptors,
            StageOptions options) {
        StageFunction<T, CallResult<R>> calls = item -> CallResult.of(function.apply(item));
        for (CallInterceptor<T, R> interceptor :
                List.<CallInterceptor<T, R>>copyOf(interceptors).reversed()) {
            StageFunction<T, CallResult<R>> inner = calls;
            calls = item -> interceptor.intercept(name, item, inner);
        }
        return pipeline.pipe(name, calls, options).filter(CallResult::isPassed).map(CallResult::take);
    }
}
