// Packs every golden type by a header's offsets alone, and asks for every position back. cases.h is written by the test.
#include "golden.hpp"

#include <cstdio>
#include <vector>

struct golden {
  std::int64_t (*offset)(std::int64_t), (*position)(std::int64_t, std::int64_t);
  std::int64_t count, size, buffer, origin;
};

#include "cases.hpp"

static_assert(g0_offset(0) == g0_offset(0), "offsets are constants");

int main() {
  int wrong = 0;
  for (const golden &g : cases) {
    std::vector<unsigned char> covered(static_cast<std::size_t>(g.buffer) + 1);
    for (std::int64_t p = 0; p < g.count * g.size; ++p) {
      const std::int64_t o = g.offset(p), i = o + g.origin;
      if (i < 0 || i >= g.buffer) return 2;
      covered[static_cast<std::size_t>(i)] = 1;
      std::putchar(static_cast<unsigned char>(i * 131 + (i >> 8) * 17 + (i >> 16) * 5 + 7));
      const std::int64_t back = g.position(o, g.count);
      wrong += back < 0 || back > p || g.offset(back) != o;
    }
    for (std::int64_t i = 0; i < g.buffer; ++i)
      wrong += (g.position(i - g.origin, g.count) >= 0) != (covered[static_cast<std::size_t>(i)] != 0);
  }
  if (wrong) std::fprintf(stderr, "%d positions are wrong\n", wrong);
  return wrong != 0;
}
