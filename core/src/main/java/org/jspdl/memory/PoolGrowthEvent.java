package org.jspdl.memory;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/// A pool had no idle block that fits and asked for memory.
@Name("jspdl.PoolGrowth")
@Label("Pool Growth")
@Category("JSPDL")
@Description("A buffer pool had no idle block that fits and asked for memory; the stack says for whom")
final class PoolGrowthEvent extends Event {
    @Label("Pool")
    String pool = "";

    @Label("Block")
    @DataAmount
    long block;

    @Label("Held")
    @Description("What the pool holds with the new block")
    @DataAmount
    long held;

    @Label("Limit")
    @DataAmount
    long limit;

    /// Emits an event. Called only while a recorder runs: loading this class takes long.
    static void emit(String pool, long block, long held, long limit) {
        PoolGrowthEvent event = new PoolGrowthEvent();
        event.pool = pool;
        event.block = block;
        event.held = held;
        event.limit = limit;
        event.commit();
    }
}
