// Converts an array of structs into a struct of arrays, with no loop of its own.
#include "particle.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>

struct Particle {
  double x, y, z;
  std::int64_t id;
};
static_assert(sizeof(Particle) == particle_extent, "as it was compiled");

constexpr std::int64_t count = 1000;
struct Particles {
  std::array<double, count> x, y, z;
  std::array<std::int64_t, count> id;
};

int main() {
  const auto structs = std::make_unique<std::array<Particle, count>>();
  const auto arrays = std::make_unique<Particles>();
  for (std::int64_t i = 0; i < count; ++i) {
    const double at = static_cast<double>(i);
    (*structs)[static_cast<std::size_t>(i)] = {at, at + 0.25, at + 0.5, i};
  }
  particle_copy(structs->data(), arrays.get(), count, 0, count * particle_size);
  int wrong = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Particle &p = (*structs)[i];
    wrong += arrays->x[i] != p.x || arrays->y[i] != p.y || arrays->z[i] != p.z || arrays->id[i] != p.id;
  }
  std::printf("%d of %d particles are wrong\n", wrong, static_cast<int>(count));
  return wrong != 0;
}
