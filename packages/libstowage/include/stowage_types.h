/* Datatypes that are known at run time: describe one as MPI does, commit it, and pack, unpack and copy with it at once.
 * Part of libstowage; see stowage_types(3).
 *
 *   stowage_builder *builder = stowage_builder_new(STOWAGE_STANDARD);
 *   const stowage_node column = stowage_vector(builder, 64, 1, 100, stowage_named(builder, "MPI_DOUBLE"));
 *   stowage_type *type;
 *   if (stowage_commit(NULL, builder, column, &type) != STOWAGE_OK) puts(stowage_builder_error(builder));
 *   stowage_builder_free(builder);
 *   stowage_pack(matrix, 1, type, packed, sizeof packed);
 *   stowage_type_free(type);
 *
 * Counts, blocklengths and displacements are numbers of elements, names that end in _bytes are bytes. A type's address
 * 0 is where its displacements count from; elements lie an extent apart. */
#ifndef STOWAGE_TYPES_H
#define STOWAGE_TYPES_H

#include "stowage.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of these headers: STOWAGE_VERSION_NUMBER is major * 10000 + minor * 100 + patch. */
#define STOWAGE_VERSION_MAJOR 0
#define STOWAGE_VERSION_MINOR 1
#define STOWAGE_VERSION_PATCH 0
#define STOWAGE_VERSION_NUMBER (STOWAGE_VERSION_MAJOR * 10000 + STOWAGE_VERSION_MINOR * 100 + STOWAGE_VERSION_PATCH)

/* The version of the library that runs, such as "0.1.0". Static. */
const char *stowage_version(void);

/* --- Building a type --- */

/* By whose rule bounds are that nobody set: MPI 4.1, section 5.1.5; what Open MPI computes; what MPICH computes. Types
 * that hold data throughout, aligned as C aligns it, have the same ones by all three. */
enum stowage_rule { STOWAGE_STANDARD = 0, STOWAGE_OPEN_MPI = 1, STOWAGE_MPICH = 2 };

/* Nodes of types under construction. One thread at a time. */
typedef struct stowage_builder stowage_builder;

/* A type under construction, of the builder that made it. */
typedef uint32_t stowage_node;

/* What a constructor gives that failed; as a child it makes the next one fail, so that commit tells all. */
#define STOWAGE_NO_NODE UINT32_MAX

/* Makes a builder without nodes. Returns NULL where there is no memory. */
stowage_builder *stowage_builder_new(enum stowage_rule rule);
/* Frees a builder with its nodes; types that were committed stay. NULL is nothing. */
void stowage_builder_free(stowage_builder *builder);
/* The first thing that failed, in one line: what, expected, got. "" where nothing did. It stays until the builder goes.
 */
const char *stowage_builder_error(const stowage_builder *builder);
/* The status of the first thing that failed: STOWAGE_DESCRIPTION, STOWAGE_OVERFLOW or STOWAGE_NO_MEMORY. STOWAGE_OK
 * where nothing did. */
enum stowage_status stowage_builder_status(const stowage_builder *builder);

/* The constructors of MPI 4.1, sections 5.1.2 to 5.1.7, and MPI_Type_dup, section 5.1.10. Each returns the node that it
 * adds, or STOWAGE_NO_NODE where it fails: stowage_builder_error says why. `count` is the length of the lists, which
 * are read before a call returns. A predefined type is known by its MPI name, of C or of Fortran, sized as on x86-64.
 */
stowage_node stowage_named(stowage_builder *builder, const char *mpi_name);
stowage_node stowage_contiguous(stowage_builder *builder, int64_t count, stowage_node child);
stowage_node stowage_vector(stowage_builder *builder, int64_t count, int64_t blocklength, int64_t stride,
                            stowage_node child);
stowage_node stowage_hvector(stowage_builder *builder, int64_t count, int64_t blocklength, int64_t stride_bytes,
                             stowage_node child);
stowage_node stowage_indexed(stowage_builder *builder, int64_t count, const int64_t *blocklengths,
                             const int64_t *displacements, stowage_node child);
stowage_node stowage_hindexed(stowage_builder *builder, int64_t count, const int64_t *blocklengths,
                              const int64_t *displacements_bytes, stowage_node child);
stowage_node stowage_indexed_block(stowage_builder *builder, int64_t count, int64_t blocklength,
                                   const int64_t *displacements, stowage_node child);
stowage_node stowage_hindexed_block(stowage_builder *builder, int64_t count, int64_t blocklength,
                                    const int64_t *displacements_bytes, stowage_node child);
stowage_node stowage_struct(stowage_builder *builder, int64_t count, const int64_t *blocklengths,
                            const int64_t *displacements_bytes, const stowage_node *children);
/* The box of `subsizes` elements at `starts` in an array of `sizes`: lists of `dimensions` numbers each. `order`:
 * STOWAGE_ORDER_C or STOWAGE_ORDER_FORTRAN. */
stowage_node stowage_subarray(stowage_builder *builder, int64_t dimensions, const int64_t *sizes,
                              const int64_t *subsizes, const int64_t *starts, int order, stowage_node child);
/* What process `rank` of `size` holds of an array of `sizes` elements on a grid of `processes`: lists of `dimensions`
 * numbers each. `distributions`: STOWAGE_DISTRIBUTE_BLOCK and its like; of `arguments`, the elements of a block,
 * STOWAGE_DISTRIBUTE_DFLT_DARG is the default. */
stowage_node stowage_darray(stowage_builder *builder, int64_t size, int64_t rank, int64_t dimensions,
                            const int64_t *sizes, const int64_t *distributions, const int64_t *arguments,
                            const int64_t *processes, int order, stowage_node child);
stowage_node stowage_resized(stowage_builder *builder, int64_t lower_bound_bytes, int64_t extent_bytes,
                             stowage_node child);
stowage_node stowage_dup(stowage_builder *builder, stowage_node child);

/* --- A committed type --- */

/* A type that is ready to move bytes. It does not change but for its code; any number of threads may use one, at once.
 */
typedef struct stowage_type stowage_type;

/* Where machine code comes from, and where equal types are held once. */
typedef struct stowage_context stowage_context;

/* What a context is opened with. NULL: what the environment says, else what is usual; "": nothing. */
struct stowage_options {
  /* Folders of cached code, separated by colons. STOWAGE_CACHE, else stowage/code under XDG_CACHE_HOME or ~/.cache. */
  const char *cache;
  /* The socket of a compile service: STOWAGE_SERVICE, else where `stowage serve` listens. */
  const char *service;
};

/* Opens a context. Code is taken from folders that this user or root alone may write to, and asked of a service of this
 * user. Where there is none, types move bytes by loops of C. `options` NULL: all as usual. Returns NULL where there is
 * no memory. Any number of threads may commit with one. It keeps 65536 types at most, of 256 MiB of descriptions;
 * further ones move bytes by loops. */
stowage_context *stowage_open(const struct stowage_options *options);
/* Leaves the service; the rest goes with the last type that was committed with it. NULL is nothing. */
void stowage_close(stowage_context *context);

/* Makes a type ready: it moves bytes from the next call on, by code that is in memory or cached, else by loops of C
 * until that comes, for nobody waits. `context` NULL: by loops alone. What a builder made is copied. Where this fails,
 * *type is NULL, and the status is the builder's, or STOWAGE_OVERFLOW or STOWAGE_NO_MEMORY. O(nodes), and O(entries) of
 * lists. */
enum stowage_status stowage_commit(stowage_context *context, const stowage_builder *builder, stowage_node node,
                                   stowage_type **type);
/* Makes a type ready as stowage_commit does, by a description (stowage_described) that need not stay: bounds are those
 * that it tells. */
enum stowage_status stowage_commit_description(stowage_context *context, const void *description, size_t length,
                                               stowage_type **type);
/* Frees a type that is no longer used; no thread may be in a call of it. NULL is nothing. */
void stowage_type_free(stowage_type *type);

/* Packed bytes of one element. */
int64_t stowage_type_size(const stowage_type *type);
/* Bounds of one element, in bytes; true bounds of a type that holds nothing are 0. */
struct stowage_bounds stowage_type_bounds(const stowage_type *type);
/* The description that the type was committed by, and its length in bytes. It stays as long as the type. */
const void *stowage_type_description(const stowage_type *type, size_t *length);

/* Whether machine code moves the type's bytes from here on: it takes the loops' place between two calls, when it comes.
 */
int stowage_has_code(const stowage_type *type);
/* Waits until that code is there, at most so many nanoseconds. STOWAGE_NO_CODE: nobody makes it, or not in this time.
 */
enum stowage_status stowage_wait_code(const stowage_type *type, int64_t most_ns);

/* --- Moving bytes ---
 *
 * Sources come first, and a scattered side stands between its count and its type: the compiler refuses what memcpy's
 * order would confuse. A scattered side's address is where the type's address 0 lies. No byte may be on both sides.
 * STOWAGE_RANGE, and nothing was moved: a count or length below 0, or a packed side that is too short. Entries that
 * overlap in an unpack leave either's bytes. */

/* Packs `count` elements into `target`, which has `target_bytes`: count * stowage_type_size(type) at least. */
enum stowage_status stowage_pack(const void *source, int64_t count, const stowage_type *type, void *target,
                                 int64_t target_bytes);
/* Unpacks `count` elements out of `source`, which has `source_bytes`: count * stowage_type_size(type) at least. */
enum stowage_status stowage_unpack(const void *source, int64_t source_bytes, const stowage_type *type, void *target,
                                   int64_t count);
/* Copies from one layout to another, paired in packed order: both sides must have the same packed size, else
 * STOWAGE_RANGE. */
enum stowage_status stowage_copy(const void *source, int64_t source_count, const stowage_type *source_type,
                                 void *target, int64_t target_count, const stowage_type *target_type);

/* Move bytes [first, first + length) of the packed stream of `count` elements alone; of the packed side, the address is
 * where byte `first` lies. Ranges may be moved in any order and by any threads: together they are the whole.
 * STOWAGE_RANGE: they lie outside the stream. */
enum stowage_status stowage_pack_range(const void *source, int64_t count, const stowage_type *type, int64_t first,
                                       void *target, int64_t length);
enum stowage_status stowage_unpack_range(const void *source, int64_t length, const stowage_type *type, int64_t first,
                                         void *target, int64_t count);
enum stowage_status stowage_copy_range(const void *source, int64_t source_count, const stowage_type *source_type,
                                       int64_t first, int64_t length, void *target, int64_t target_count,
                                       const stowage_type *target_type);

/* --- Combining what arrives with what is there --- */

/* MPI 4.1, sections 6.9.2 and 12.3.4. Where MPI is silent: a NaN that arrives is no maximum and no minimum, of zeros
 * that differ in sign alone the one that is there stays, integers wrap around, and logical results are 0 or 1. */
enum stowage_operation {
  STOWAGE_MAX = 0,
  STOWAGE_MIN,
  STOWAGE_SUM,
  STOWAGE_PROD,
  STOWAGE_LAND,
  STOWAGE_LOR,
  STOWAGE_LXOR,
  STOWAGE_BAND,
  STOWAGE_BOR,
  STOWAGE_BXOR,
  STOWAGE_REPLACE, /* a plain unpack */
  STOWAGE_NO_OP    /* nothing */
};

/* What the bytes of a type are to an operation: a C type each; a complex number is its real part, then its imaginary
 * part. */
enum stowage_element {
  STOWAGE_INT8 = 0,
  STOWAGE_INT16,
  STOWAGE_INT32,
  STOWAGE_INT64,
  STOWAGE_UINT8,
  STOWAGE_UINT16,
  STOWAGE_UINT32,
  STOWAGE_UINT64,
  STOWAGE_FLOAT,
  STOWAGE_DOUBLE,
  STOWAGE_FLOAT_COMPLEX,
  STOWAGE_DOUBLE_COMPLEX,
  STOWAGE_BOOL,
  STOWAGE_BYTE
};

/* Unpacks `count` elements of a type, whose every run of bytes is of whole `element`s: element after element in packed
 * order, target = source op target. STOWAGE_RANGE as of stowage_unpack; STOWAGE_DESCRIPTION, and nothing was done: an
 * operation that is not defined for the element, or a type whose runs cut one. */
enum stowage_status stowage_reduce(const void *source, int64_t source_bytes, enum stowage_operation operation,
                                   enum stowage_element element, const stowage_type *type, void *target, int64_t count);
/* Reduces bytes [first, first + length) alone, both of whole elements; `source` is where byte `first` lies. Errors are
 * stowage_reduce's. */
enum stowage_status stowage_reduce_range(const void *source, int64_t length, enum stowage_operation operation,
                                         enum stowage_element element, const stowage_type *type, int64_t first,
                                         void *target, int64_t count);

/* How a type is moved, for a person: writes at most `room` bytes into `text`, the last of them a zero, and returns what
 * it would take without that one, as snprintf does. */
size_t stowage_explain(const stowage_type *type, char *text, size_t room);

#ifdef __cplusplus
}
#endif
#endif
