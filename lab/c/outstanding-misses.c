// Misses of L1d that one core keeps outstanding: `chains` independent pointer chases at once.
#include <stdint.h>

#define CHAINS(k)                                                                    \
  void chase_##k(void *source, void *sums, int64_t steps) {                          \
    void *at[k];                                                                     \
    for (int i = 0; i < k; i++) at[i] = ((void **)source)[i];                        \
    for (int64_t step = 0; step < steps; step++)                                     \
      _Pragma("GCC unroll 128") for (int i = 0; i < k; i++) at[i] = *(void **)at[i]; \
    for (int i = 0; i < k; i++) ((void **)sums)[i] = at[i];                          \
  }

CHAINS(1)
CHAINS(2)
CHAINS(3)
CHAINS(4)
CHAINS(6)
CHAINS(8)
CHAINS(10)
CHAINS(12)
CHAINS(14)
CHAINS(16)
CHAINS(18)
CHAINS(20)
CHAINS(22)
CHAINS(24)
CHAINS(26)
CHAINS(28)
CHAINS(30)
CHAINS(32)
CHAINS(36)
CHAINS(40)
CHAINS(48)
CHAINS(56)
CHAINS(64)
CHAINS(72)
CHAINS(80)
CHAINS(96)
CHAINS(112)
CHAINS(128)
