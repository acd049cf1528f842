/* What the library reads out of the table of routes that STOWAGE_DEVICE_ROUTES names. */
#include "../../c/gpu/route-table.c"

int main(void) {
  static const char *const names[] = {"one-shot", "device", "pipelined"};
  static const size_t sizes[][2] = {{100, 8}, {100000, 8}, {100000, 512}};
  printf("direct %zu, launch %zu;", device_routes()->direct, device_routes()->launch);
  for (int i = 0; i < 3; i++)
    printf(" %s or %s", names[device_route_of_message(sizes[i][0], sizes[i][1])], names[device_route_of_whole(sizes[i][0], sizes[i][1])]);
  printf("; %zu %zu\n", device_piece_bytes(1), device_piece_bytes((size_t)1 << 40));
  return 0;
}
