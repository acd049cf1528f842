/* Device memory of the stub: the host's. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

uint64_t device_memory(size_t bytes);
void to_device(uint64_t address, const void *from, size_t bytes);
void from_device(void *to, uint64_t address, size_t bytes);

uint64_t device_memory(size_t bytes) { return (uint64_t)(uintptr_t)aligned_alloc(64, bytes); }
void to_device(uint64_t address, const void *from, size_t bytes) { memcpy((void *)(uintptr_t)address, from, bytes); }
void from_device(void *to, uint64_t address, size_t bytes) { memcpy(to, (void *)(uintptr_t)address, bytes); }
