// Copies pages through the header on a stub of libcuda, whose device memory is the host's.
#include "kv.hpp"
#include <cstdio>
#include <vector>

enum { TOKENS = 4, HEADS = 3, HEAD = 8, PAGE = TOKENS * HEADS * HEAD, PAGES = 6, POOLS = 40 };

static int wrong = 0;
static void expect(bool holds, const char *what) {
  if (holds) return;
  std::printf("wrong: %s\n", what);
  wrong++;
}

static stowage_pages::pool pool_of(std::vector<unsigned char> &bytes) {
  return {(uint64_t)(uintptr_t)bytes.data(), bytes.size()};
}

/* Page by page, heads first, where a copy of some entries put them. */
template <class Entry>
static bool holds(const std::vector<unsigned char> &source, const std::vector<unsigned char> &target,
                  const std::vector<Entry> &from, const std::vector<Entry> &to, size_t entries) {
  std::vector<unsigned char> expected(target.size());
  for (size_t k = 0; k < entries; k++)
    if (from[k] != (Entry)-1 && to[k] != (Entry)-1)
      for (int head = 0; head < HEADS; head++)
        for (int token = 0; token < TOKENS; token++)
          std::memcpy(&expected[to[k] * PAGE + (head * TOKENS + token) * HEAD],
                      &source[from[k] * PAGE + (token * HEADS + head) * HEAD], HEAD);
  return expected == target;
}

template <class Entry> static void copies(kv &pages) {
  const std::vector<Entry> from = {5, 0, (Entry)-1, 3}, to = {1, 4, 2, (Entry)-1};
  std::vector<std::vector<unsigned char>> sources(POOLS), targets(POOLS);
  std::vector<stowage_pages::pool> read, written;
  for (int i = 0; i < POOLS; i++) {
    sources[i].resize(PAGES * PAGE);
    targets[i].resize(PAGES * PAGE);
    for (size_t at = 0; at < sources[i].size(); at++) sources[i][at] = (unsigned char)(at * 7 + i);
    read.push_back(pool_of(sources[i]));
    written.push_back(pool_of(targets[i]));
  }
  stowage_pages::tables tables = {(uint64_t)(uintptr_t)from.data(), (uint64_t)(uintptr_t)to.data(), sizeof(Entry), 4, 0};
  expect(pages.copy(read.data(), written.data(), POOLS, PAGE, PAGE, tables, nullptr) == 0, "a copy of many pools");
  for (int i = 0; i < POOLS; i++) expect(holds(sources[i], targets[i], from, to, 4), "bytes of a pool");
  expect(pages.wrong_entry() == -1, "no wrong entry");
  std::vector<unsigned char> one(PAGES * PAGE);
  const uint32_t count = 1;
  tables.count_at = (uint64_t)(uintptr_t)&count;
  const stowage_pages::pool target = pool_of(one);
  expect(pages.copy(read.data(), &target, 1, PAGE, PAGE, tables, (void *)7) == 0, "a counted copy on a stream");
  expect(holds(sources[0], one, from, to, 1), "bytes of a counted copy");
  const stowage_pages::pool small = {target.address, 2 * PAGE};
  expect(pages.copy(read.data(), &small, 1, PAGE, PAGE, tables, nullptr) == 0, "a copy to a small pool");
  tables.count_at = 0;
  expect(pages.copy(read.data(), &small, 1, PAGE, PAGE, tables, nullptr) == 0, "a copy that leads outside");
  expect(pages.wrong_entry() == 1 && pages.wrong_entry() == -1, "the entry that led outside, once");
  std::vector<unsigned char> odd(PAGES * PAGE + 1);
  const stowage_pages::pool unaligned = {(uint64_t)(uintptr_t)odd.data() + 1, PAGES * PAGE};
  expect(pages.copy(read.data(), &unaligned, 1, PAGE, PAGE, tables, nullptr) == 0, "a copy to an odd address");
  odd.erase(odd.begin());
  expect(holds(sources[0], odd, from, to, 4), "bytes at an odd address");
  expect(pages.copy(read.data(), &unaligned, 1, 0, PAGE, tables, nullptr) == 1, "a stride of 0");
}

int main() {
  kv pages;
  const stowage_pages::tables none = {0, 0, 4, 1, 0};
  expect(pages.copy(nullptr, nullptr, 0, PAGE, PAGE, none, nullptr) == 1, "a copy before load");
  const int result = pages.load();
  if (result != 0) return std::printf("load: %d\n", result), 3;
  copies<uint32_t>(pages);
  copies<uint64_t>(pages);
  std::printf("%d wrong\n", wrong);
  return 0;
}
