/// What plans may say of devices. Read [DeviceOperations].
package org.jspdl.device.plan;
