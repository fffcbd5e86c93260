/// Interceptors: code around each call of a stage's function, which may replace the item or the result, or drop it.
///
/// Not here: observers, which are told of calls and change nothing ([org.jspdl.stats.StageObserver]). Read
/// [CallInterceptor] first.
package org.jspdl.pipeline.intercept;
