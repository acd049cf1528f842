#include "by-host.h"

#include "route-table.h"

static const struct route *const routes[ROUTE_NAMES] = {
    [ROUTE_ONE_SHOT] = &route_one_shot,
    [ROUTE_DEVICE] = &route_device,
    [ROUTE_PIPELINED] = &route_pipelined,
};

struct choice {
  const struct message *message;
  int is_refused[ROUTE_NAMES];
};

static int may_be(enum route_name name, const void *context) {
  const struct choice *choice = context;
  return !choice->is_refused[name] && routes[name]->supports(choice->message);
}

int by_host_give(struct message *m) {
  struct choice choice = {.message = m};
  const size_t block_bytes = buffer_block_bytes(&m->buffer);
  for (;;) {
    const enum route_name name = route_table_find(m->buffer.bytes, block_bytes, may_be, &choice);
    m->route = routes[name];
    const int class = m->route->give(m);
    if (class != ROUTE_NOT_NOW) return class;
    choice.is_refused[name] = 1;
  }
}
