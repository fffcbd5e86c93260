/// What a run would gain from changes that it does not make by itself.
///
/// Here: where a cache would pay. Not here: what limits a run and what would help against that
/// ([org.jspdl.observe.diagnosis]). Read [CacheAdvice] first.
package org.jspdl.observe.advice;
