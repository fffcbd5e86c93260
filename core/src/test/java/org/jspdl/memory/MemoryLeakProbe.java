package org.jspdl.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspdl.leakcheck.LeakProbe;

/// Reports pools that are open, and leases that are out of them.
///
/// Other modules get it with the test jar of core.
public final class MemoryLeakProbe implements LeakProbe {
    @Override
    public String name() {
        return "memory pools";
    }

    @Override
    public List<String> leaks() {
        List<String> leaks = new ArrayList<>();
        for (BufferPool pool : LivePools.list()) {
            String identity = "pool '" + pool.name() + "' #" + Integer.toHexString(System.identityHashCode(pool));
            leaks.add(identity + " is open");
            if (pool.outstanding() > 0) {
                leaks.add(String.format(
                        Locale.ROOT,
                        "%s has %,d leases of %,d bytes out",
                        identity,
                        pool.outstanding(),
                        pool.leasedBytes()));
            }
        }
        return leaks;
    }
}
