#include "begin.h"

int begin_all(struct message *const messages[], size_t count) {
  struct message *own[MOST_MOVES];
  int class = MPI_SUCCESS;
  for (size_t at = 0; at < count && class == MPI_SUCCESS; at++) {
    const struct route *route = messages[at]->route;
    size_t some = 0, first = 0;
    while (messages[first]->route != route) first++;
    if (first < at) continue;
    for (size_t i = at; i < count; i++)
      if (messages[i]->route == route) own[some++] = messages[i];
    class = route_begin(route, own, some);
  }
  return class;
}
