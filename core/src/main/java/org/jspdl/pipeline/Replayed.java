package org.jspdl.pipeline;

import java.util.List;
import java.util.Optional;

/// What came of running a skipped item again.
///
/// @param item    the item
/// @param results what the stage that had failed returned this time: one result, or several if the item was one of
///     several that were made of one before it, all of which come again; of a batch's element, its own result; the
///     caller owns them
/// @param failure what the stage threw, if it failed again
public record Replayed(FailedItem item, List<Object> results, Optional<Throwable> failure) {}
