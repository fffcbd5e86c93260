package org.jspdl.device;

import java.util.ArrayList;
import java.util.List;
import org.jspdl.leakcheck.LeakProbe;

/// Reports transfers that are open, and batches that are on their devices.
///
/// Other modules get it with the test jar of this one.
public final class TransferLeakProbe implements LeakProbe {
    @Override
    public String name() {
        return "transfers to devices";
    }

    @Override
    public List<String> leaks() {
        List<String> leaks = new ArrayList<>();
        for (DeviceTransfer transfer : LiveTransfers.list()) {
            String identity =
                    "transfer to " + transfer.label() + " #" + Integer.toHexString(System.identityHashCode(transfer));
            leaks.add(identity + " is open");
            if (transfer.batchesOut() > 0) {
                leaks.add(identity + " has " + transfer.batchesOut() + " batches out");
            }
        }
        return leaks;
    }
}
