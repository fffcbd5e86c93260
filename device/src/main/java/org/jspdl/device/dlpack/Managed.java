package org.jspdl.device.dlpack;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/// Where the fields of DLPack's struct lie, which has no version of its own (the capsule `dltensor`).
///
/// ```c
/// typedef struct { int32_t device_type; int32_t device_id; } DLDevice;
/// typedef struct { uint8_t code; uint8_t bits; uint16_t lanes; } DLDataType;
/// typedef struct {
///     void *data; DLDevice device; int32_t ndim; DLDataType dtype;
///     int64_t *shape; int64_t *strides; uint64_t byte_offset;
/// } DLTensor;
/// typedef struct DLManagedTensor {
///     DLTensor dl_tensor; void *manager_ctx; void (*deleter)(struct DLManagedTensor *self);
/// } DLManagedTensor;
/// ```
final class Managed {
    static final AddressLayout POINTER = ValueLayout.ADDRESS;
    static final StructLayout LAYOUT = MemoryLayout.structLayout(
            POINTER.withName("data"),
            ValueLayout.JAVA_INT.withName("device_type"),
            ValueLayout.JAVA_INT.withName("device_id"),
            ValueLayout.JAVA_INT.withName("ndim"),
            ValueLayout.JAVA_BYTE.withName("code"),
            ValueLayout.JAVA_BYTE.withName("bits"),
            ValueLayout.JAVA_SHORT.withName("lanes"),
            POINTER.withName("shape"),
            POINTER.withName("strides"),
            ValueLayout.JAVA_LONG.withName("byte_offset"),
            POINTER.withName("manager_ctx"),
            POINTER.withName("deleter"));

    static final long DATA = offset("data");
    static final long DEVICE_TYPE = offset("device_type");
    static final long DEVICE_ID = offset("device_id");
    static final long RANK = offset("ndim");
    static final long CODE = offset("code");
    static final long BITS = offset("bits");
    static final long LANES = offset("lanes");
    static final long SHAPE = offset("shape");
    static final long STRIDES = offset("strides");
    static final long BYTE_OFFSET = offset("byte_offset");
    static final long DELETER = offset("deleter");

    private Managed() {}

    private static long offset(String field) {
        return LAYOUT.byteOffset(PathElement.groupElement(field));
    }

    /// The struct at `pointer`, with its bounds.
    @SuppressWarnings("restricted")
    static MemorySegment at(MemorySegment pointer) {
        if (pointer.address() == 0) {
            throw new IllegalArgumentException("the pointer to a DLManagedTensor is NULL");
        }
        return pointer.reinterpret(LAYOUT.byteSize());
    }
}
