#include <mpi.h>

#include "attach.h"

#include "exported.h"
#include "lower-halves.h"
#include "next.h"

#include <string.h>

#if defined(IS_STANDARD_ABI)
#define COMPILED_FOR FAMILY_STANDARD
#elif defined(HAS_CONVERTORS)
#define COMPILED_FOR FAMILY_OPEN_MPI
#else
#define COMPILED_FOR FAMILY_MPICH
#endif

/* A hook that this MPI has no use for is not there. */
#define HOOK_OF(name) extern const char hook_##name __attribute__((weak, visibility("hidden")));
#define CALL(name, words, gate) HOOK_OF(MPI_##name) HOOK_OF(PMPI_##name)
#define INNER(name, words) HOOK_OF(name)
#define OWN(name, words) HOOK_OF(name)
#include "rows.h"
#undef CALL
#undef INNER
#undef OWN

#define CALL(name, words, gate) (void *)&hook_MPI_##name, (void *)&hook_PMPI_##name,
#define INNER(name, words) (void *)&hook_##name,
#define OWN(name, words) (void *)&hook_##name,
static void *hooks[ROWS] = {
#include "rows.h"
};
#undef CALL
#undef INNER
#undef OWN

/* For the library that is preloaded where the MPI is not known before (c/loader). NULL: that is another version's. */
EXPORTED void *const *stowage_interposer_attach(const struct attachment *to) {
  if (strcmp(to->version, STOWAGE_VERSION) != 0 || to->rows != ROWS) return NULL;
  next_from(to->next);
  gates_begin(to->gates);
  hooks_choose(hooks);
  return hooks;
}

/* Preloaded by itself: in programs of other MPIs it does nothing. */
void *const *hooks_for(enum mpi_family family, const struct attachment *to) {
  return family == COMPILED_FOR ? stowage_interposer_attach(to) : NULL;
}
