/* Where code comes from, and equal types are held once. */
#ifndef STOWAGE_CONTEXT_H
#define STOWAGE_CONTEXT_H

#include "code-store.h"
#include "type.h"

/* The entry of a description; NULL: there is no code for it. */
struct stowage_code *context_code(stowage_context *context, const void *description, size_t length);

/* The entry of a description's kernels for GPUs; NULL: there are none. */
struct stowage_code *context_device_code(stowage_context *context, const void *description, size_t length);

/* The type that the context has made of an entry, held once more; NULL: it has none. */
stowage_type *context_type(stowage_context *context, struct stowage_code *code);
/* The type of an entry from now on, or one that another thread has kept meanwhile, held once more: `type` goes then. */
stowage_type *context_keep(stowage_context *context, struct stowage_code *code, stowage_type *type);

/* One more that uses it, and one less: the last one frees it. */
void context_hold(stowage_context *context);
void context_release(stowage_context *context);

/* What type.c frees a type by, when nobody holds it. */
void type_discard(stowage_type *type);

#endif
