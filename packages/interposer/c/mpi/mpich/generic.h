/* UCX's generic datatypes, by which MPICH's device ch4:ucx packs (public API: ucp/api/ucp.h). */
#ifndef STOWAGE_GENERIC_H
#define STOWAGE_GENERIC_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

struct generic_operations {
  void *(*start_pack)(void *context, const void *user, size_t count);
  void *(*start_unpack)(void *context, void *user, size_t count);
  size_t (*packed_size)(void *message);
  size_t (*pack)(void *message, size_t offset, void *packed, size_t most);
  signed char (*unpack)(void *message, size_t offset, const void *packed, size_t length);
  void (*finish)(void *message);
};

signed char ucp_dt_create_generic(const struct generic_operations *, void *context, uint64_t *datatype);
void ucp_dt_destroy(uint64_t datatype);

/* NULL where this MPICH packs so; else why not. Runs in MPI_Init. */
enum { GENERIC_TRUNCATED = -9 };
const char *generic_test(void);

#endif
