// Kernels written by hand for Jenkins' types, as a reader of the paper would write them today: nvcc -ptx -arch=sm_90
// -O3 generic-hand.cu -o HAND.ptx. `lab run generic --hand=HAND.ptx` runs and checks them beside ours. All take the
// same parameters: the source and target at the type's address 0, up to two tables, and how many items.
#define KERNEL(name)                                                                                     \
  extern "C" __global__ void name(const char *source, char *target, const int *first, const int *second, \
                                  unsigned long long n, unsigned long long blocks)
#define ITEM                                                \
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; \
  if (i >= n) return
#define WORDS(type)                     \
  const type *s = (const type *)source; \
  type *t = (type *)target

KERNEL(contiguous) {
  ITEM;
  WORDS(int4);
  t[i] = s[i];
}
KERNEL(vector8) {
  ITEM;
  WORDS(double);
  t[i] = s[i * 64];
}
KERNEL(vector128) {
  ITEM;
  WORDS(int4);
  t[i] = s[(i >> 3) * 32 + (i & 7)];
}
KERNEL(indexed8) {
  ITEM;
  WORDS(double);
  t[i] = s[first[i]];
}
// 32^4 of 64^4 doubles.
KERNEL(subarray4) {
  ITEM;
  WORDS(int4);
  t[i] = s[(i & 15) + ((i >> 4) & 31) * 32 + ((i >> 9) & 31) * 2048 + (i >> 14) * 131072];
}
KERNEL(random_blocks) {
  ITEM;
  WORDS(double);
  int low = 0, high = (int)blocks - 1;
  while (low < high) {
    int middle = (low + high + 1) / 2;
    if (first[middle] <= (long long)i) low = middle;
    else high = middle - 1;
  }
  t[i] = s[second[low] + (i - first[low])];
}
KERNEL(struct24) {
  ITEM;
  target[i] = source[i / 17 * 24 + i % 17];
}
KERNEL(floats) {
  ITEM;
  WORDS(float);
  t[i] = s[first[i]];
}
