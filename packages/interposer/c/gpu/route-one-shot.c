/* Kernels write packed bytes over the bus into memory of the host, and read them there. */
#include "staged.h"

static int supports(const struct message *m) { return (void)m, 1; }
static int begin(struct message *const messages[], size_t count) { return staged_begin(messages, count, 0); }
static int arrived(struct message *m, size_t bytes, struct gpu_move *move) { return staged_arrived(m, bytes, move, 0); }

const struct route route_one_shot = {"one-shot", supports, staged_promise, begin, NULL, arrived, NULL, staged_release};
