/// What samples of shards cost a training step, and batches that cost the same; begin with
/// [org.jspdl.data.shards.cost.BalancedShards].
@NullMarked
package org.jspdl.data.shards.cost;

import org.jspecify.annotations.NullMarked;
