// Parts of matrices, as std::mdspan has them, packed and put into others: every second row and column, all of a matrix
// by rows, and one by columns. Prints packed bytes.
#include <cstdio>
#include <numeric>
#include <stowage.hpp>

#if !defined(__cpp_lib_mdspan)
#error "std::mdspan: expected a standard library that has it"
#endif

using extents = std::dextents<std::size_t, 2>;

// How many numbers are not where the packed ones say, the last index fastest, and how many others have changed.
template <typename View> int wrong(const View &from, const View &to, std::vector<double> &all) {
  const stowage::builder builder;
  const stowage::type type = builder.commit(builder.view(from));
  const std::vector<std::byte> packed = type.packed(from.data_handle());
  type.unpack(packed, to.data_handle(), 1);
  const auto *values = reinterpret_cast<const double *>(packed.data());
  int bad = packed.size() != from.size() * sizeof(double);
  for (std::size_t i = 0; i < from.extent(0); i++)
    for (std::size_t j = 0; j < from.extent(1); j++) {
      double &there = to.data_handle()[to.mapping()(i, j)];
      bad += *values++ != from.data_handle()[from.mapping()(i, j)];
      bad += there != from.data_handle()[from.mapping()(i, j)];
      there = 0;
    }
  for (const double value : all) bad += value != 0;
  std::printf("%zu bytes\n", packed.size());
  return bad;
}

int main() {
  constexpr std::size_t rows = 6, columns = 10;
  std::vector<double> from(rows * columns), to(rows * columns);
  std::iota(from.begin(), from.end(), 1);
  const std::layout_stride::mapping<extents> some(extents(3, 4), std::array<std::size_t, 2>{2 * columns, 2});
  using part = std::mdspan<double, extents, std::layout_stride>;
  int bad = wrong(part(from.data() + 1, some), part(to.data() + 1, some), to);
  bad += wrong(std::mdspan(from.data(), rows, columns), std::mdspan(to.data(), rows, columns), to);
  using by_columns = std::mdspan<double, extents, std::layout_left>;
  bad += wrong(by_columns(from.data(), rows, columns), by_columns(to.data(), rows, columns), to);
  std::printf("%d wrong\n", bad);
  return bad != 0;
}
