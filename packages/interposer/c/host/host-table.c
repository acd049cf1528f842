#include "host-table.h"

#include "mpi-name.h"
#include "table-file.h"

#include <string.h>

/* Messages of so many packed bytes and more, in runs of so many bytes and more in the mean: of any elements, or of a
 * matrix's columns alone. */
struct host_rule {
  int is_of_columns;
  size_t bytes, run_bytes;
  enum way way;
};

enum { MOST_HOST_RULES = 64 };

struct host_table {
  size_t count;
  struct host_rule rules[MOST_HOST_RULES];
};

/* Open MPI's fragments are places whose lines the receiver has just read; UCX's are not, but a fragment of 8 KiB has no
 * column whole (docs/notes/2026-11-29-lines.md). */
static const struct host_table of_openmpi = {1, {{0, 0, 0, SECOND_WAY}}};
static const struct host_table of_mpich = {1, {{1, 65536, 0, SECOND_WAY}}};
static struct host_table table;

/* `route BYTES RUN WAY`, `columns BYTES RUN WAY`; WAY is past or through. */
static int take(void *taken, char *const words[TABLE_WORDS]) {
  struct host_table *t = taken;
  struct host_rule *rule = &t->rules[t->count];
  if (t->count == MOST_HOST_RULES || words[3] == NULL || words[4] != NULL) return 0;
  rule->is_of_columns = strcmp(words[0], "columns") == 0;
  rule->way = strcmp(words[3], "past") == 0 ? SECOND_WAY : FIRST_WAY;
  t->count++;
  return (rule->is_of_columns || strcmp(words[0], "route") == 0) && table_number(words[1], &rule->bytes) &&
         table_number(words[2], &rule->run_bytes) && (rule->way == SECOND_WAY || strcmp(words[3], "through") == 0);
}

void host_table_read(void) {
  static const struct table_file file = {NULL, "host-routes", "stowage-host-routes 1\n", take};
  struct host_table read = {0};
  if (table_file_read(&file, &read)) table = read;
  else table = mpi_name()[0] == 'o' ? of_openmpi : of_mpich;
}

enum way host_table_way(const struct way_kind *kind) {
  const int is_of_columns = shape_is_of_columns(&kind->shape);
  for (size_t i = table.count; i-- > 0;) {
    const struct host_rule *rule = &table.rules[i];
    const int fits = kind->bytes >= rule->bytes && kind->shape.run_bytes >= rule->run_bytes;
    if (fits && (!rule->is_of_columns || is_of_columns)) return rule->way;
  }
  return FIRST_WAY;
}
