/* What the library reads out of the table of routes that STOWAGE_DEVICE_ROUTES names. */
#include "../../c/tables/table-file.c"

#include "../../c/gpu/route-table.c"

const char *mpi_name(void) { return "openmpi-0"; }

static int may_be_any(enum route_name route, const void *context) { return (void)route, (void)context, 1; }
static int is_whole(enum route_name route, const void *context) { return (void)context, route != ROUTE_PIPELINED; }

int main(void) {
  static const size_t sizes[][2] = {{100, 8}, {100000, 8}, {100000, 512}};
  printf("ipc %zu, launch %zu;", route_table()->ipc, route_table()->launch);
  for (int i = 0; i < 3; i++)
    printf(" %s or %s", names[route_table_find(sizes[i][0], sizes[i][1], may_be_any, NULL)],
           names[route_table_find(sizes[i][0], sizes[i][1], is_whole, NULL)]);
  printf("; %zu %zu\n", route_piece_bytes(1), route_piece_bytes((size_t)1 << 40));
  return 0;
}
