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

/* Error codes of UCX: UCS_ERR_NO_MEMORY, UCS_ERR_MESSAGE_TRUNCATED. */
enum { GENERIC_NO_MEMORY = -4, GENERIC_TRUNCATED = -9 };

/* Before MPI_Init: MPICH from 4.2 on receives what is not contiguous into memory of its own, or run by run, unless it
 * is told to receive by UCX's datatypes, as it did before. A user who has told it either way is left alone. */
void generic_ask_to_receive(void);

/* NULL where this MPICH packs so; else why not. Runs in MPI_Init. */
const char *generic_test(void);
/* Behind it: NULL where receives are unpacked so too; else why not, and they are counted from now on. */
const char *generic_receives(void);

#endif
