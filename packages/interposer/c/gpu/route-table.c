#include "route-table.h"

#include "mpi-name.h"
#include "table-file.h"

#include <pthread.h>
#include <string.h>

static const char *const names[ROUTE_NAMES] = {"one-shot", "device", "pipelined"};
static struct route_table routes = {
    .ipc = 1024, .launch = 1 << 18, .count = 2, .rules = {{0, 0, ROUTE_ONE_SHOT}, {8 << 20, 0, ROUTE_PIPELINED}}};
static pthread_once_t reading = PTHREAD_ONCE_INIT;

static int route_named(const char *word, enum route_name *route) {
  for (int i = 0; word != NULL && i < ROUTE_NAMES; i++)
    if (strcmp(word, names[i]) == 0) return *route = (enum route_name)i, 1;
  return 0;
}

/* `route BYTES BLOCK-BYTES NAME`, `ipc BYTES`, `launch BYTES`. */
static int take(void *taken, char *const words[TABLE_WORDS]) {
  struct route_table *table = taken;
  if (strcmp(words[0], "ipc") == 0) return table_number(words[1], &table->ipc) && words[2] == NULL;
  if (strcmp(words[0], "launch") == 0)
    return table_number(words[1], &table->launch) && table->launch > 0 && words[2] == NULL;
  struct route_rule *rule = &table->rules[table->count];
  if (strcmp(words[0], "route") != 0 || table->count == MOST_RULES) return 0;
  table->count++;
  return table_number(words[1], &rule->bytes) && table_number(words[2], &rule->block_bytes) &&
         route_named(words[3], &rule->route) && words[4] == NULL;
}

/* Rules of a table take the place of the defaults. Pieces are Open MPI's alone there: what it takes whole it copies
 * once, what it asks for twice, but as fast; MPICH at half the speed. */
static void read_table(void) {
  static const struct table_file file = {"STOWAGE_DEVICE_ROUTES", "device-routes", "stowage-device-routes 2\n", take};
  if (mpi_name()[0] != 'o') routes.count = 1;
  struct route_table table = {.ipc = routes.ipc, .launch = routes.launch};
  if (table_file_read(&file, &table)) routes = table;
}

const struct route_table *route_table(void) {
  pthread_once(&reading, read_table);
  return &routes;
}

enum route_name route_table_find(size_t bytes, size_t block_bytes, int (*may_be)(enum route_name, const void *),
                                 const void *context) {
  const struct route_table *table = route_table();
  for (size_t i = table->count; i-- > 0;) {
    const struct route_rule *rule = &table->rules[i];
    if (bytes >= rule->bytes && block_bytes >= rule->block_bytes && may_be(rule->route, context)) return rule->route;
  }
  return ROUTE_ONE_SHOT;
}

/* A launch each, and the last piece is waited for: least together where a piece is the geometric mean of the message
 * and a launch. */
size_t route_piece_bytes(size_t bytes) {
  const size_t launch = route_table()->launch;
  size_t piece = 4096;
  while (piece < bytes && piece / launch * piece < bytes && piece * piece < bytes * launch) piece *= 2;
  return piece;
}
