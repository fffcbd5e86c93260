/// A device without hardware, for tests of code that copies to a GPU.
///
/// Read [FakeDevice] first.
package org.jspdl.device.fake;
