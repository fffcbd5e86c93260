package org.jspdl.device.cuda;

import static org.jspdl.device.cuda.Calls.INT;
import static org.jspdl.device.cuda.Calls.WORD;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/// The functions of CUDA's driver library that we call, each returning its `CUresult`. A `CUdevice` is an `int`;
/// handles and device addresses are `long`.
final class CudaDriver {
    private final MethodHandle init;
    private final MethodHandle driverVersion;
    private final MethodHandle errorName;
    private final MethodHandle errorText;
    private final MethodHandle deviceCount;
    private final MethodHandle device;
    private final MethodHandle deviceName;
    private final MethodHandle deviceUuid;
    private final MethodHandle deviceMemory;
    private final MethodHandle deviceAttribute;
    private final MethodHandle retainContext;
    private final MethodHandle releaseContext;
    private final MethodHandle pushContext;
    private final MethodHandle popContext;
    private final MethodHandle memoryInfo;
    private final MethodHandle allocate;
    private final MethodHandle free;
    private final MethodHandle allocateHost;
    private final MethodHandle freeHost;
    private final MethodHandle registerHost;
    private final MethodHandle unregisterHost;
    private final MethodHandle pointerAttribute;
    private final MethodHandle createStream;
    private final MethodHandle destroyStream;
    private final MethodHandle synchronizeStream;
    private final MethodHandle waitEvent;
    private final MethodHandle createEvent;
    private final MethodHandle destroyEvent;
    private final MethodHandle recordEvent;
    private final MethodHandle queryEvent;
    private final MethodHandle synchronizeEvent;
    private final MethodHandle copyToDevice;
    private final MethodHandle copyToHost;

    CudaDriver(SymbolLookup library) {
        // CUresult cuInit(unsigned int Flags)
        init = Calls.function(library, "cuInit", INT);
        // CUresult cuDriverGetVersion(int *driverVersion)
        driverVersion = Calls.function(library, "cuDriverGetVersion", WORD);
        // CUresult cuGetErrorName(CUresult error, const char **pStr)
        errorName = Calls.function(library, "cuGetErrorName", INT, WORD);
        // CUresult cuGetErrorString(CUresult error, const char **pStr)
        errorText = Calls.function(library, "cuGetErrorString", INT, WORD);
        // CUresult cuDeviceGetCount(int *count)
        deviceCount = Calls.function(library, "cuDeviceGetCount", WORD);
        // CUresult cuDeviceGet(CUdevice *device, int ordinal)
        device = Calls.function(library, "cuDeviceGet", WORD, INT);
        // CUresult cuDeviceGetName(char *name, int len, CUdevice dev)
        deviceName = Calls.function(library, "cuDeviceGetName", WORD, INT, INT);
        // CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice dev)
        deviceUuid = Calls.function(library, "cuDeviceGetUuid", WORD, INT);
        // CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice dev)
        deviceMemory = Calls.function(library, "cuDeviceTotalMem_v2", WORD, INT);
        // CUresult cuDeviceGetAttribute(int *pi, CUdevice_attribute attrib, CUdevice dev)
        deviceAttribute = Calls.function(library, "cuDeviceGetAttribute", WORD, INT, INT);
        // CUresult cuDevicePrimaryCtxRetain(CUcontext *pctx, CUdevice dev)
        retainContext = Calls.function(library, "cuDevicePrimaryCtxRetain", WORD, INT);
        // CUresult cuDevicePrimaryCtxRelease_v2(CUdevice dev)
        releaseContext = Calls.function(library, "cuDevicePrimaryCtxRelease_v2", INT);
        // CUresult cuCtxPushCurrent_v2(CUcontext ctx)
        pushContext = Calls.function(library, "cuCtxPushCurrent_v2", WORD);
        // CUresult cuCtxPopCurrent_v2(CUcontext *pctx)
        popContext = Calls.function(library, "cuCtxPopCurrent_v2", WORD);
        // CUresult cuMemGetInfo_v2(size_t *free, size_t *total)
        memoryInfo = Calls.function(library, "cuMemGetInfo_v2", WORD, WORD);
        // CUresult cuMemAlloc_v2(CUdeviceptr *dptr, size_t bytesize)
        allocate = Calls.function(library, "cuMemAlloc_v2", WORD, WORD);
        // CUresult cuMemFree_v2(CUdeviceptr dptr)
        free = Calls.function(library, "cuMemFree_v2", WORD);
        // CUresult cuMemHostAlloc(void **pp, size_t bytesize, unsigned int Flags)
        allocateHost = Calls.function(library, "cuMemHostAlloc", WORD, WORD, INT);
        // CUresult cuMemFreeHost(void *p)
        freeHost = Calls.function(library, "cuMemFreeHost", WORD);
        // CUresult cuMemHostRegister_v2(void *p, size_t bytesize, unsigned int Flags)
        registerHost = Calls.function(library, "cuMemHostRegister_v2", WORD, WORD, INT);
        // CUresult cuMemHostUnregister(void *p)
        unregisterHost = Calls.function(library, "cuMemHostUnregister", WORD);
        // CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr ptr)
        pointerAttribute = Calls.function(library, "cuPointerGetAttribute", WORD, INT, WORD);
        // CUresult cuStreamCreate(CUstream *phStream, unsigned int Flags)
        createStream = Calls.function(library, "cuStreamCreate", WORD, INT);
        // CUresult cuStreamDestroy_v2(CUstream hStream)
        destroyStream = Calls.function(library, "cuStreamDestroy_v2", WORD);
        // CUresult cuStreamSynchronize(CUstream hStream)
        synchronizeStream = Calls.function(library, "cuStreamSynchronize", WORD);
        // CUresult cuStreamWaitEvent(CUstream hStream, CUevent hEvent, unsigned int Flags)
        waitEvent = Calls.function(library, "cuStreamWaitEvent", WORD, WORD, INT);
        // CUresult cuEventCreate(CUevent *phEvent, unsigned int Flags)
        createEvent = Calls.function(library, "cuEventCreate", WORD, INT);
        // CUresult cuEventDestroy_v2(CUevent hEvent)
        destroyEvent = Calls.function(library, "cuEventDestroy_v2", WORD);
        // CUresult cuEventRecord(CUevent hEvent, CUstream hStream)
        recordEvent = Calls.function(library, "cuEventRecord", WORD, WORD);
        // CUresult cuEventQuery(CUevent hEvent)
        queryEvent = Calls.function(library, "cuEventQuery", WORD);
        // CUresult cuEventSynchronize(CUevent hEvent)
        synchronizeEvent = Calls.function(library, "cuEventSynchronize", WORD);
        // CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount, CUstream
        // hStream)
        copyToDevice = Calls.function(library, "cuMemcpyHtoDAsync_v2", WORD, WORD, WORD, WORD);
        // CUresult cuMemcpyDtoHAsync_v2(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount, CUstream
        // hStream)
        copyToHost = Calls.function(library, "cuMemcpyDtoHAsync_v2", WORD, WORD, WORD, WORD);
    }

    int init() {
        return Calls.call(init, 0);
    }

    int driverVersion(MemorySegment version) {
        return Calls.call(driverVersion, version.address());
    }

    /// The driver's name for a result, as `CUDA_ERROR_INVALID_VALUE`; empty if it has none.
    String errorName(int result) {
        return text(errorName, result);
    }

    /// The driver's explanation of a result; empty if it has none.
    String errorText(int result) {
        return text(errorText, result);
    }

    @SuppressWarnings("restricted")
    private static String text(MethodHandle function, int result) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pointer = arena.allocate(Long.BYTES, Long.BYTES);
            int status = Calls.call(function, result, pointer.address());
            long address = CudaLibrary.word(pointer);
            return status != 0 || address == 0
                    ? ""
                    : MemorySegment.ofAddress(address)
                            .reinterpret(Long.MAX_VALUE)
                            .getString(0);
        }
    }

    int deviceCount(MemorySegment count) {
        return Calls.call(deviceCount, count.address());
    }

    int device(MemorySegment device, int ordinal) {
        return Calls.call(this.device, device.address(), ordinal);
    }

    int deviceName(MemorySegment name, int device) {
        return Calls.call(deviceName, name.address(), (int) name.byteSize(), device);
    }

    int deviceUuid(MemorySegment uuid, int device) {
        return Calls.call(deviceUuid, uuid.address(), device);
    }

    int deviceMemory(MemorySegment bytes, int device) {
        return Calls.call(deviceMemory, bytes.address(), device);
    }

    int deviceAttribute(MemorySegment value, int attribute, int device) {
        return Calls.call(deviceAttribute, value.address(), attribute, device);
    }

    int retainContext(MemorySegment context, int device) {
        return Calls.call(retainContext, context.address(), device);
    }

    int releaseContext(int device) {
        return Calls.call(releaseContext, device);
    }

    int pushContext(long context) {
        return Calls.call(pushContext, context);
    }

    /// Takes the current context off the thread's stack; which one it was is not asked for.
    int popContext(MemorySegment popped) {
        return Calls.call(popContext, popped.address());
    }

    int memoryInfo(MemorySegment free, MemorySegment total) {
        return Calls.call(memoryInfo, free.address(), total.address());
    }

    int allocate(MemorySegment address, long byteSize) {
        return Calls.call(allocate, address.address(), byteSize);
    }

    int free(long address) {
        return Calls.call(free, address);
    }

    int allocateHost(MemorySegment address, long byteSize, int flags) {
        return Calls.call(allocateHost, address.address(), byteSize, flags);
    }

    int freeHost(long address) {
        return Calls.call(freeHost, address);
    }

    int registerHost(MemorySegment memory, int flags) {
        return Calls.call(registerHost, memory.address(), memory.byteSize(), flags);
    }

    int unregisterHost(long address) {
        return Calls.call(unregisterHost, address);
    }

    int pointerAttribute(MemorySegment value, int attribute, long pointer) {
        return Calls.call(pointerAttribute, value.address(), attribute, pointer);
    }

    int createStream(MemorySegment stream, int flags) {
        return Calls.call(createStream, stream.address(), flags);
    }

    int destroyStream(long stream) {
        return Calls.call(destroyStream, stream);
    }

    int synchronizeStream(long stream) {
        return Calls.call(synchronizeStream, stream);
    }

    int waitEvent(long stream, long event) {
        return Calls.call(waitEvent, stream, event, 0);
    }

    int createEvent(MemorySegment event, int flags) {
        return Calls.call(createEvent, event.address(), flags);
    }

    int destroyEvent(long event) {
        return Calls.call(destroyEvent, event);
    }

    int recordEvent(long event, long stream) {
        return Calls.call(recordEvent, event, stream);
    }

    int queryEvent(long event) {
        return Calls.call(queryEvent, event);
    }

    int synchronizeEvent(long event) {
        return Calls.call(synchronizeEvent, event);
    }

    int copyToDevice(long to, MemorySegment from, long stream) {
        return Calls.call(copyToDevice, to, from.address(), from.byteSize(), stream);
    }

    int copyToHost(MemorySegment to, long from, long stream) {
        return Calls.call(copyToHost, to.address(), from, to.byteSize(), stream);
    }
}
