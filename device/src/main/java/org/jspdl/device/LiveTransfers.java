package org.jspdl.device;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;

/// The transfers that are open in this process, for leak checks.
///
/// Static on purpose: a leak check has no other way to find them. Weak, so that it keeps none alive.
final class LiveTransfers {
    private static final Set<DeviceTransfer> TRANSFERS =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    private LiveTransfers() {}

    static void add(DeviceTransfer transfer) {
        TRANSFERS.add(transfer);
    }

    static void remove(DeviceTransfer transfer) {
        TRANSFERS.remove(transfer);
    }

    static List<DeviceTransfer> list() {
        synchronized (TRANSFERS) {
            return new ArrayList<>(TRANSFERS);
        }
    }
}
