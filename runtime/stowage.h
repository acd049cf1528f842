/* Runs what stowage compiled, without Node: loads stored artifacts, and packs, unpacks and copies with them. One
 * source, C11, with checksum.h, formats.h, frames.h and gpu_section.h beside it; no library but the system's. See
 * stowage(3). */
#ifndef STOWAGE_H
#define STOWAGE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define STOWAGE_RESTRICT __restrict
extern "C" {
#else
#define STOWAGE_RESTRICT restrict
#endif

/* What a call came to. stowage_text() says it in words. */
enum stowage_status {
  STOWAGE_OK = 0,
  STOWAGE_UNREADABLE,      /* the file cannot be opened or read */
  STOWAGE_FOREIGN_OWNER,   /* the file belongs to another user, or others may write it: its code is not run */
  STOWAGE_NO_ARTIFACT,     /* the bytes do not begin as an artifact */
  STOWAGE_OLDER,           /* a container, or a payload, of a version that this library reads no more: store it again */
  STOWAGE_NEWER,           /* a container, or a payload, of a version that this library does not know */
  STOWAGE_TRUNCATED,       /* fewer or more bytes than the artifact has */
  STOWAGE_DAMAGED,         /* the checksum is another, or what is stored contradicts itself */
  STOWAGE_FOREIGN_BACKEND, /* an artifact of a backend that makes no code for this kind of processor */
  STOWAGE_LEVEL,           /* code for a processor that has more than this one */
  STOWAGE_NO_MEMORY,       /* the system gives no memory, or none for code */
  STOWAGE_RANGE,           /* no such move, or numbers that name no range of its packed stream */
  STOWAGE_DESCRIPTION,     /* a type's description takes no such node */
  STOWAGE_OVERFLOW,        /* a size, a bound or a place in memory is beyond 64 bits */
  STOWAGE_NO_CODE,         /* a type has no machine code, or none within a time */
  STOWAGE_DEVICE           /* a device's driver refused */
};

/* A text for a status: static, one line. */
const char *stowage_text(enum stowage_status status);

/* What a move does: to a packed stream, out of one, or from one layout to another. */
enum stowage_direction { STOWAGE_PACK = 0, STOWAGE_UNPACK = 1, STOWAGE_COPY = 2 };

/* One side of a move, in bytes: elements stand an extent apart. */
struct stowage_bounds {
  int64_t extent, lower_bound, true_extent, true_lower_bound;
};

/* What a move does, for one element: size is that of its packed stream, run the mean length of its contiguous runs, in
 * bytes; run is 0 where an artifact does not tell it. */
struct stowage_move {
  int64_t size;
  struct stowage_bounds source, target;
  enum stowage_direction direction;
  uint32_t run;
};

/* The code of one artifact, ready to run. It does not change: any number of threads may use one at a time. */
typedef struct stowage_kernel stowage_kernel;

/* The highest level of code that this processor runs, and its system saves the registers of: "sse2", "avx2" or
 * "avx512"; NULL where it is no x86-64. Static. */
const char *stowage_level(void);

/* Loads the artifact in `length` bytes at `bytes`, which need not stay. The code of an artifact is run: load what you
 * trust. Where this fails, *kernel is NULL, and the status, from STOWAGE_NO_ARTIFACT to STOWAGE_NO_MEMORY, says why. */
enum stowage_status stowage_load(const void *bytes, size_t length, stowage_kernel **kernel);

/* Loads an artifact from a file, which must belong to this process's user or to root and be writable by nobody else:
 * else STOWAGE_FOREIGN_OWNER. STOWAGE_UNREADABLE: it cannot be opened or read. */
enum stowage_status stowage_load_file(const char *path, stowage_kernel **kernel);

/* Gives the code's memory back; no thread may be running it. NULL is nothing. */
void stowage_unload(stowage_kernel *kernel);

/* How many moves a kernel has. */
size_t stowage_moves(const stowage_kernel *kernel);
/* What move number `move`, from 0, does; NULL where there is none. It stays as long as the kernel. */
const struct stowage_move *stowage_move_at(const stowage_kernel *kernel, size_t move);
/* The description of the type that the moves are of, and its length; NULL and 0 where the artifact has none. */
const void *stowage_description(const stowage_kernel *kernel, size_t *length);

/* Kernels for GPUs, where the artifact holds those and none for a processor, and their length: stowage_cuda.h launches
 * them, and stowage_run knows no such move. Else NULL and 0. */
const void *stowage_gpu_code(const stowage_kernel *kernel, size_t *length);

/* Moves bytes [first, first + length) of the packed stream of `count` elements. `source` and `target` are where a
 * type's address 0 lies, and of a packed stream where byte 0 of the whole stream lies or would lie. No byte may be on
 * both sides. STOWAGE_RANGE, and nothing was moved: no such move, or no such range. */
enum stowage_status stowage_run(const stowage_kernel *kernel, size_t move, const void *STOWAGE_RESTRICT source,
                                void *STOWAGE_RESTRICT target, int64_t count, int64_t first, int64_t length);

/* Moves the share of one of `parts` threads in such a range: each of the caller's threads calls with its own `part`,
 * from 0, at once or one after another, and together they move the range. Shares are cut at multiples of 64 bytes of
 * the stream. */
enum stowage_status stowage_run_part(const stowage_kernel *kernel, size_t move, const void *STOWAGE_RESTRICT source,
                                     void *STOWAGE_RESTRICT target, int64_t count, int64_t first, int64_t length,
                                     unsigned part, unsigned parts);

/* --- Descriptions of datatypes ---
 *
 * A type's nodes as MPI_Type_get_envelope and MPI_Type_get_contents tell them, children first, with lower bound and
 * extent as MPI_Type_get_extent tells them. stowage_mpi.h walks a handle; equal types give equal bytes, here and in
 * TypeScript. */
typedef struct stowage_describer stowage_describer;

/* A constructor, by a number that no MPI shares. */
enum stowage_combiner {
  STOWAGE_NAMED = 0,
  STOWAGE_CONTIGUOUS,
  STOWAGE_VECTOR,
  STOWAGE_HVECTOR,
  STOWAGE_INDEXED,
  STOWAGE_HINDEXED,
  STOWAGE_INDEXED_BLOCK,
  STOWAGE_HINDEXED_BLOCK,
  STOWAGE_STRUCT,
  STOWAGE_SUBARRAY,
  STOWAGE_DARRAY,
  STOWAGE_RESIZED,
  STOWAGE_DUP
};

/* Constants among the integers of subarray and darray, whatever the MPI's own are. */
enum { STOWAGE_ORDER_C = 0, STOWAGE_ORDER_FORTRAN = 1 };
enum { STOWAGE_DISTRIBUTE_BLOCK = 0, STOWAGE_DISTRIBUTE_CYCLIC = 1, STOWAGE_DISTRIBUTE_NONE = 2 };
enum { STOWAGE_DISTRIBUTE_DFLT_DARG = -1 };

/* What a constructor was called with, in the order of MPI_Type_get_contents; a child is what adding it gave. */
struct stowage_contents {
  const int64_t *integers;
  const int64_t *addresses;
  const uint32_t *children;
  size_t integer_count, address_count, child_count;
};

/* Makes an empty description. Returns NULL where there is no memory. */
stowage_describer *stowage_describe(void);
/* Frees a description. NULL is nothing. */
void stowage_describer_free(stowage_describer *describer);

/* Adds a predefined type by its MPI name; bounds are in bytes. `node` gets its number. STOWAGE_DESCRIPTION: it takes no
 * such node. */
enum stowage_status stowage_describe_named(stowage_describer *describer, const char *name, int64_t lower_bound,
                                           int64_t extent, uint32_t *node);
/* Adds a type made of others that were added before; bounds are in bytes. `node` gets its number. */
enum stowage_status stowage_describe_node(stowage_describer *describer, enum stowage_combiner combiner,
                                          const struct stowage_contents *contents, int64_t lower_bound, int64_t extent,
                                          uint32_t *node);

/* The bytes so far, whose last node is the type, and their length; they stay until the next call. */
const void *stowage_described(const stowage_describer *describer, size_t *length);

/* 128 bits that name a description with what code depends on besides: a text such as "pack avx2". MurmurHash3, x86, 128
 * bits: whoever finds something under it compares the description too. */
void stowage_key(const void *description, size_t length, const char *variant, uint8_t key[16]);

#ifdef __cplusplus
}
#endif
#endif
