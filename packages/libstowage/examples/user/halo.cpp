// Two members of the cells in a column of a grid, packed and put into another grid.
#include <cstdio>
#include <stowage.hpp>

struct cell {
  double density;
  int kind;
  float velocity[3];
};

int main() {
  constexpr int rows = 16, columns = 12;
  std::vector<cell> grid(rows * columns), other(rows * columns);
  for (int i = 0; i < rows * columns; i++) grid[i] = {i * 0.5, i, {1.0f * i, 2.0f * i, 3.0f * i}};
  const stowage::builder builder;
  const stowage_node some = builder.members(&cell::density, &cell::velocity);
  const stowage::type column = builder.commit(stowage_vector(builder.get(), rows, 1, columns, some));
  const std::vector<std::byte> packed = column.packed(&grid[3]);
  column.unpack(packed, &other[5], 1);
  int wrong = 0;
  for (int i = 0; i < rows; i++) {
    const cell &from = grid[i * columns + 3], &to = other[i * columns + 5];
    wrong += to.density != from.density || to.velocity[2] != from.velocity[2] || to.kind != 0;
  }
  std::printf("%zu bytes, %d wrong\n%s", packed.size(), wrong, column.explain().c_str());
  return wrong != 0;
}
