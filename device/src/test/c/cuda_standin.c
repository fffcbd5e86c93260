/* Stands in for CUDA's driver library in tests: every call is logged with its arguments, any can be made to fail, device
   memory is host memory, and copies happen when an event or stream is waited for. One thread at a time. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char calls[1 << 20];
static size_t end;
static char failing[64];
static int failing_code, contexts, not_ready;
static struct { void *to; const void *from; size_t bytes; } copies[4096];
static int queued;
static struct { char *from; size_t bytes; } pinned[64];
static long streams, events, allocations;

void standin_reset(void) { end = 0; calls[0] = 0; failing[0] = 0; contexts = not_ready = queued = 0; streams = events = 0; }
void standin_fail(const char *name, int code) { snprintf(failing, sizeof failing, "%s", name); failing_code = code; }
void standin_not_ready(int queries) { not_ready = queries; }
const char *standin_log(void) { return calls; }
long standin_allocations(void) { return allocations; }
int standin_contexts(void) { return contexts; }

static int called(const char *name, const char *format, ...) {
    if (end + 400 < sizeof calls) {
        va_list arguments;
        va_start(arguments, format);
        end += sprintf(calls + end, "%s", name);
        end += vsnprintf(calls + end, 300, format, arguments);
        end += sprintf(calls + end, "\n");
        va_end(arguments);
    }
    if (strcmp(name, failing) == 0) { failing[0] = 0; return failing_code; }
    return 0;
}
/* Calls that the driver refuses unless a context is current. */
#define CALLED(...) do { int failed = called(__func__, __VA_ARGS__); if (failed) return failed; } while (0)
#define IN_CONTEXT(...) do { CALLED(__VA_ARGS__); if (contexts == 0) return 201; } while (0)

static void finish(void) {
    for (int i = 0; i < queued; i++) memcpy(copies[i].to, copies[i].from, copies[i].bytes);
    queued = 0;
}
static int queue(void *to, const void *from, size_t bytes) {
    if (queued == 4096) finish();
    copies[queued].to = to; copies[queued].from = from; copies[queued++].bytes = bytes;
    return 0;
}
static int pin(char *from, size_t bytes) {
    for (int i = 0; i < 64; i++) if (!pinned[i].from) { pinned[i].from = from; pinned[i].bytes = bytes; return 0; }
    return 2;
}
static int unpin(char *from) {
    for (int i = 0; i < 64; i++) if (pinned[i].from == from) { pinned[i].from = 0; return 0; }
    return 713;
}

int cuInit(unsigned flags) { CALLED(" %u", flags); return 0; }
int cuDriverGetVersion(int *version) { CALLED(""); *version = 13010; return 0; }
int cuGetErrorName(int error, const char **name) {
    *name = error == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : error == 100 ? "CUDA_ERROR_NO_DEVICE" : error == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS" : 0;
    return *name ? 0 : 1;
}
int cuGetErrorString(int error, const char **text) { *text = error == 2 ? "out of memory" : 0; return *text ? 0 : 1; }
int cuDeviceGetCount(int *count) { CALLED(""); *count = 2; return 0; }
int cuDeviceGet(int *device, int ordinal) { CALLED(" %d", ordinal); *device = 40 + ordinal; return 0; }
int cuDeviceGetName(char *name, int length, int device) { CALLED(" %d %d", length, device); snprintf(name, length, "Stand-in %d", device); return 0; }
int cuDeviceGetUuid(unsigned char *uuid, int device) { CALLED(" %d", device); for (int i = 0; i < 16; i++) uuid[i] = 16 * i + i; return 0; }
int cuDeviceTotalMem_v2(size_t *bytes, int device) { CALLED(" %d", device); *bytes = (size_t)80 << 30; return 0; }
int cuDeviceGetAttribute(int *value, int attribute, int device) {
    CALLED(" %d %d", attribute, device);
    *value = attribute == 75 ? 9 : attribute == 76 ? 0 : attribute == 16 ? 132 : attribute == 40 ? 3 : attribute == 33 ? 0x3b : attribute == 34 ? 4 : 0;
    return 0;
}
int cuDevicePrimaryCtxRetain(uint64_t *context, int device) { CALLED(" %d", device); *context = 0xC0000 + device; return 0; }
int cuDevicePrimaryCtxRelease_v2(int device) { CALLED(" %d", device); return 0; }
int cuCtxPushCurrent_v2(uint64_t context) { contexts++; return context == 0xC0028 || context == 0xC0029 ? 0 : 201; }
int cuCtxPopCurrent_v2(uint64_t *context) { *context = 0; contexts--; return 0; }
int cuMemGetInfo_v2(size_t *left, size_t *total) { IN_CONTEXT(""); *left = 123; *total = (size_t)80 << 30; return 0; }
int cuMemAlloc_v2(uint64_t *address, size_t bytes) { IN_CONTEXT(" %zu", bytes); if (bytes > (size_t)80 << 30) return 2; *address = (uint64_t)aligned_alloc(512, (bytes + 511) / 512 * 512); allocations++; return 0; }
int cuMemFree_v2(uint64_t address) { IN_CONTEXT(" %lx", address); finish(); free((void *)address); allocations--; return 0; }
int cuMemHostAlloc(void **address, size_t bytes, unsigned flags) { IN_CONTEXT(" %zu %u", bytes, flags); *address = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096); return pin(*address, bytes); }
int cuMemFreeHost(void *address) { IN_CONTEXT(""); finish(); int known = unpin(address); if (!known) free(address); return known; }
int cuMemHostRegister_v2(void *address, size_t bytes, unsigned flags) { IN_CONTEXT(" %lx %zu %u", (uint64_t)address, bytes, flags); return pin(address, bytes); }
int cuMemHostUnregister(void *address) { IN_CONTEXT(" %lx", (uint64_t)address); return unpin(address); }
int cuPointerGetAttribute(void *value, int attribute, uint64_t pointer) {
    IN_CONTEXT(" %d", attribute);
    for (int i = 0; i < 64; i++)
        if (pinned[i].from && (char *)pointer >= pinned[i].from && (char *)pointer < pinned[i].from + pinned[i].bytes) { *(int *)value = 1; return 0; }
    return 1;
}
int cuStreamCreate(uint64_t *stream, unsigned flags) { IN_CONTEXT(" %u", flags); *stream = 0x5000 + ++streams; return 0; }
int cuStreamDestroy_v2(uint64_t stream) { IN_CONTEXT(" %lx", stream); return 0; }
int cuStreamSynchronize(uint64_t stream) { IN_CONTEXT(" %lx", stream); finish(); return 0; }
int cuStreamWaitEvent(uint64_t stream, uint64_t event, unsigned flags) { IN_CONTEXT(" %lx %lx %u", stream, event, flags); return 0; }
int cuEventCreate(uint64_t *event, unsigned flags) { IN_CONTEXT(" %u", flags); *event = 0xE000 + ++events; return 0; }
int cuEventDestroy_v2(uint64_t event) { IN_CONTEXT(" %lx", event); return 0; }
int cuEventRecord(uint64_t event, uint64_t stream) { IN_CONTEXT(" %lx %lx", event, stream); return 0; }
int cuEventQuery(uint64_t event) { IN_CONTEXT(" %lx", event); if (not_ready > 0) { not_ready--; return 600; } finish(); return 0; }
int cuEventSynchronize(uint64_t event) { IN_CONTEXT(" %lx", event); finish(); return 0; }
int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, uint64_t stream) { IN_CONTEXT(" %lx %lx %zu %lx", to, (uint64_t)from, bytes, stream); return queue((void *)to, from, bytes); }
int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, uint64_t stream) { IN_CONTEXT(" %lx %lx %zu %lx", (uint64_t)to, from, bytes, stream); return queue(to, (const void *)from, bytes); }

int nvtxRangePushA(const char *message) { CALLED(" %s", message); return 0; }
int nvtxRangePop(void) { CALLED(""); return 0; }

/* What only the check on a machine with a GPU calls. */
int cuCtxSetCurrent(uint64_t context) { CALLED(" %lx", context); contexts += context ? 1 : -1; return 0; }
int cuModuleLoadData(uint64_t *module, const char *image) { IN_CONTEXT(" %.8s", image); *module = 0xA1; return 0; }
int cuModuleGetFunction(uint64_t *function, uint64_t module, const char *name) { IN_CONTEXT(" %lx %s", module, name); *function = 0xF1; return 0; }
int cuLaunchKernel(uint64_t f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, uint64_t stream, void **arguments, void **extra) {
    IN_CONTEXT(" %lx %u %u %u %u %u %u %u %lx %lu", f, gx, gy, gz, bx, by, bz, shared, stream, **(uint64_t **)arguments);
    return extra ? 1 : 0;
}
