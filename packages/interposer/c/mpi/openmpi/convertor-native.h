/* Convertors that move a message by the MPI's own code, from where one of ours is. */
#ifndef STOWAGE_CONVERTOR_NATIVE_H
#define STOWAGE_CONVERTOR_NATIVE_H

#include "convertor.h"

/* Open MPI's convertor is longer than the part of it that we know. */
enum { CONVERTOR_BYTES = 1024 };

struct native_convertor {
  _Alignas(max_align_t) unsigned char bytes[CONVERTOR_BYTES];
};

static inline struct convertor *convertor_of(struct native_convertor *native) { return (void *)native->bytes; }

/* A native receiver that goes on where ours is. */
void native_begin_receiver(struct native_convertor *, const struct convertor *);
/* A native sender of the same bytes, at the beginning of the basic element there. */
void native_begin_sender(struct native_convertor *, const struct convertor *);
/* Moves so many bytes on. How many it moved. */
size_t native_run(struct native_convertor *, void *packed, size_t length);
void native_end(struct native_convertor *);

#endif
