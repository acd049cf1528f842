#include "route-access.h"

#include "predefined.h"

#include <stdlib.h>

static struct access *access_of(const struct message *m) { return m->state; }

static int supports(const struct message *m) { return (void)m, 0; }

static int give(struct message *m) {
  m->given.memory = access_of(m)->packed;
  m->given.count = access_of(m)->elements.count;
  m->given.type = access_of(m)->type;
  return MPI_SUCCESS;
}

static int arrived(struct message *m, size_t bytes, struct gpu_move *move) {
  *move = (struct gpu_move){.buffer = &m->buffer};
  access_unpack(access_of(m), bytes);
  return MPI_SUCCESS;
}

static void release(struct message *m) {
  access_free(access_of(m));
  free(access_of(m));
}

static const struct route route_access = {"file", supports, give, NULL, NULL, arrived, NULL, release};

int access_operation(const struct access *a, struct operation **operation) {
  struct access *own = malloc(sizeof *own);
  if (own == NULL) return 0;
  *own = *a;
  const struct elements *e = &a->elements;
  const struct message message = {.buffer = buffer_on_host(e->user, e->count, e->bytes, e->type),
                                  .direction = a->direction,
                                  .communicator = PREDEFINED_SELF,
                                  .is_never_cancelled = 1,
                                  .route = &route_access,
                                  .state = own};
  if (operation_make(&message, operation) == MPI_SUCCESS) return 1;
  free(own);
  return 0;
}
