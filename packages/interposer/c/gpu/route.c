#include "route.h"

int begin_all(struct gpu_message *const messages[], size_t count) {
  struct gpu_message *own[MOST_MOVES];
  int class = MPI_SUCCESS;
  for (size_t at = 0; at < count && class == MPI_SUCCESS; at++) {
    const struct route *route = messages[at]->route;
    size_t some = 0;
    int is_first = 1;
    for (size_t i = 0; i < at && is_first; i++) is_first = messages[i]->route != route;
    for (size_t i = at; is_first && i < count && class == MPI_SUCCESS; i++) {
      if (messages[i]->route != route) continue;
      own[some++] = messages[i];
      if (some < MOST_MOVES) continue;
      class = route->begin(own, some);
      some = 0;
    }
    if (some > 0 && class == MPI_SUCCESS) class = route->begin(own, some);
  }
  return class;
}
