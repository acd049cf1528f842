/* Other processes' arenas, opened in contexts of this one: once each, and kept. */
#ifndef STOWAGE_GPU_IMPORTED_H
#define STOWAGE_GPU_IMPORTED_H

#include "context.h"

#include <stddef.h>

/* With a context entered: where a peer's arena begins for it. 0: it cannot be opened there. */
int imported_in(struct gpu_context *context, const struct gpu_place *place, int owner, gpu_address *base);
/* Copies bytes of a peer's arena to memory of the host, by whichever context opened it. 0 or the driver's result. */
int imported_read(int owner, size_t at, void *to, size_t bytes);
/* Answers peers that have asked whether their arenas can be opened here: in the context of a place. */
void imported_answer(const struct gpu_place *place);

#endif
