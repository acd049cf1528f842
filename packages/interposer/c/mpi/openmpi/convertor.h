/* Open MPI's convertor as releases 4.0 and 4.1 lay it out on 64-bit machines, built without debugging: opal/datatype/
 * opal_convertor.h. The structure is private: the self-test finds out whether this one is it before anything is
 * changed. */
#ifndef STOWAGE_CONVERTOR_H
#define STOWAGE_CONVERTOR_H

#include "exported.h"
#include "stowage.h"

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

enum {
  CONVERTOR_SEND = 0x00040000,
  CONVERTOR_HOMOGENEOUS = 0x00080000,
  CONVERTOR_NO_OP = 0x00100000,
  CONVERTOR_WITH_CHECKSUM = 0x00200000,
  CONVERTOR_CUDA = 0x00400000,
  CONVERTOR_CUDA_ASYNC = 0x00800000,
  CONVERTOR_COMPLETED = 0x08000000,
  CONVERTOR_CUDA_UNIFIED = 0x10000000
};

struct convertor;
typedef int32_t (*convertor_advance)(struct convertor *, struct iovec *, uint32_t *used, size_t *moved);

struct convertor {
  struct {
    void *class_of;
    int32_t references;
  } object;
  uint32_t remote_architecture, flags;
  size_t local_size, remote_size;
  MPI_Datatype datatype;
  const void *description;
  size_t count;
  uint32_t stack_size;
  void *user;
  void *stack;
  convertor_advance advance;
  void *master;
  uint32_t stack_position;
  size_t partial_length;
  /* The position in the packed stream. */
  size_t converted;
  /* Written at each call, whether or not they are asked for. */
  uint32_t checksum, partial_checksum;
  size_t last_checksum;
  /* Room for the native position of small types, which the MPI makes anew where it needs it. */
  union {
    unsigned char stack_of_small_types[120];
    struct {
      convertor_advance native;
      const stowage_kernel *kernel;
    } ours;
  };
};

/* Open MPI's functions, which its libraries call by way of our hooks. */
int32_t opal_convertor_prepare_for_send(struct convertor *, MPI_Datatype, size_t count, const void *user);
int32_t opal_convertor_prepare_for_recv(struct convertor *, MPI_Datatype, size_t count, const void *user);
int32_t opal_convertor_set_position_nocheck(struct convertor *, size_t *position);
int32_t opal_convertor_raw(struct convertor *, struct iovec *, uint32_t *used, size_t *length);
int opal_convertor_clone(const struct convertor *from, struct convertor *to, int32_t copies_stack);

int32_t hook_opal_convertor_prepare_for_send(struct convertor *, MPI_Datatype, size_t count, const void *user);
int32_t hook_opal_convertor_prepare_for_recv(struct convertor *, MPI_Datatype, size_t count, const void *user);
int32_t hook_opal_convertor_set_position_nocheck(struct convertor *, size_t *position);

/* Puts a native convertor at a position; a sender's comes to stand at the beginning of the basic element there. */
void convertor_place(struct convertor *, size_t position);

/* Moves a convertor on through segments, range by range: a fragment begins and ends at any byte, of a basic element
 * too. */
typedef void (*convertor_range)(struct convertor *, enum stowage_direction, void *packed, size_t length);
HIDDEN int32_t convertor_advance_by(struct convertor *, struct iovec *, uint32_t *used, size_t *moved,
                                    enum stowage_direction, convertor_range);

/* Moves `length` bytes from the convertor's position on, by both, and compares. */
void convertor_verified_range(struct convertor *, enum stowage_direction, void *packed, size_t length);

/* Has a native convertor's time recorded. */
void convertor_record_native(struct convertor *);

/* Placeholders (gpu/placeholder.h): whether one was prepared as such, and takes it if it is one. */
int convertor_is_placeholder(const struct convertor *);
int convertor_takes_placeholder(struct convertor *, enum stowage_direction);

/* While it is set, called with each convertor that was prepared for data that is not contiguous. */
extern void (*convertor_watcher)(struct convertor *);

/* NULL where this Open MPI's convertors are such; else why not. Runs in MPI_Init. */
const char *convertor_test(void);

#endif
