/* What the library reads out of a table of ways: host-table MPI BYTES RUN EXTENT SPAN..., a word for each four. */
#define _GNU_SOURCE 1
#include "host-table.h"

#include <stdio.h>
#include <stdlib.h>

static const char *mpi;

const char *mpi_name(void) { return mpi; }

/* Of no type here. */
const struct stowage_move *stowage_move_at(const stowage_kernel *kernel, size_t move) {
  return (void)kernel, (void)move, NULL;
}

int main(int argc, char **argv) {
  mpi = argv[1];
  host_table_read();
  for (int i = 2; i + 3 < argc; i += 4) {
    const struct type_shape shape = {.run_bytes = strtoull(argv[i + 1], NULL, 10),
                                     .extent_bytes = strtoll(argv[i + 2], NULL, 10),
                                     .span_bytes = strtoull(argv[i + 3], NULL, 10)};
    const struct way_kind kind = {.bytes = strtoull(argv[i], NULL, 10), .shape = shape};
    puts(host_table_way(&kind) == SECOND_WAY ? "past" : "through");
  }
  return 0;
}
