package org.jspdl.data.storage;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Throttle;

/// One read of a stored object, with its retries.
@Name("jspdl.StorageRead")
@Label("Storage Read")
@Category("JSPDL")
@Description("One read of a stored object, with its retries; a few hundred of them a second")
@StackTrace(false)
@Throttle("300/s")
final class StorageReadEvent extends Event {
    @Label("Location")
    String location = "";

    @Label("Offset")
    @DataAmount
    long offset;

    @Label("Size")
    @DataAmount
    long size;

    @Label("Failed")
    boolean failed;
}
