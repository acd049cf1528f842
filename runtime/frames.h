/* How unwinders find the way through loaded code: .eh_frame (Linux Standard Base 5, section 10.6) made of an artifact's
 * records, and told to libgcc's unwinder, which glibc's backtrace() and exceptions of C++ ask. Part of stowage.c. */
#ifndef STOWAGE_FRAMES_H
#define STOWAGE_FRAMES_H

#include "formats.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* A program that is linked without them, as a static one is, has no unwinder that could be told. */
#pragma weak dlopen
#pragma weak dlsym

/* What a function's record begins with: length, common record, code and its length, and no augmentation. */
enum { RECORD_HEAD_BYTES = 17 };

struct frame_records {
  const unsigned char *bytes;
  size_t length;
};

/* Of an artifact; the last one's zeros may be missing. 0: it leads outside of the records or of the code. */
static int read_frames(const struct frame_records *records, size_t at, size_t code_bytes,
                       struct artifact_frames *frames) {
  if (records->length - at < sizeof *frames) return 0;
  memcpy(frames, records->bytes + at, sizeof *frames);
  return frames->instruction_bytes <= records->length - at - sizeof *frames && frames->code_bytes > 0 &&
         frames->code <= code_bytes && frames->code_bytes <= code_bytes - frames->code;
}

static size_t aligned_frames(size_t bytes) {
  enum { TO = ARTIFACT_FRAMES_ALIGNMENT };
  return (bytes + TO - 1) / TO * TO;
}

static size_t next_frames(const struct frame_records *records, size_t at, const struct artifact_frames *frames) {
  const size_t bytes = aligned_frames(sizeof *frames + frames->instruction_bytes);
  return bytes < records->length - at ? at + bytes : records->length;
}

/* The common record of all: version 1, augmentation "zR", code in bytes, places in words of 8 downwards, return address
 * 16, distances of 4 bytes; the canonical frame address is rsp + 8, the return address lies right below. */
static const unsigned char common_frame[24] = {20, 0,    0,  0, 0,    0,    0, 0, 1,    'z', 'R', 0,
                                               1,  0x78, 16, 1, 0x1b, 0x0c, 7, 8, 0x90, 1,   0,   0};

/* What records take as .eh_frame: nothing where there are none. 0: they are damaged. */
static int measure_frames(const struct frame_records *records, size_t code_bytes, size_t *bytes) {
  struct artifact_frames frames;
  *bytes = 0;
  if (records->length == 0) return 1;
  if (code_bytes > INT32_MAX || records->length > INT32_MAX) return 0;
  *bytes = sizeof common_frame + sizeof(uint32_t);
  for (size_t at = 0; at < records->length; at = next_frames(records, at, &frames)) {
    if (!read_frames(records, at, code_bytes, &frames)) return 0;
    *bytes += aligned_frames(RECORD_HEAD_BYTES + frames.instruction_bytes);
  }
  return 1;
}

static void put_number(unsigned char *to, size_t value) {
  const uint32_t number = (uint32_t)value;
  memcpy(to, &number, sizeof number);
}

/* Writes them to zeros behind the code, whose place distances count from; a zero ends them. */
static void write_frames(const struct frame_records *records, const unsigned char *code, unsigned char *start) {
  struct artifact_frames frames;
  unsigned char *to = start;
  memcpy(to, common_frame, sizeof common_frame);
  to += sizeof common_frame;
  for (size_t at = 0; at < records->length; at = next_frames(records, at, &frames)) {
    memcpy(&frames, records->bytes + at, sizeof frames);
    const size_t bytes = aligned_frames(RECORD_HEAD_BYTES + frames.instruction_bytes);
    put_number(to, bytes - sizeof(uint32_t));
    put_number(to + 4, (size_t)(to + 4 - start));
    put_number(to + 8, (size_t)(code + frames.code - (to + 8)));
    put_number(to + 12, frames.code_bytes);
    memcpy(to + RECORD_HEAD_BYTES, records->bytes + at + sizeof frames, frames.instruction_bytes);
    to += bytes;
  }
}

typedef void (*frame_function)(const void *);

/* libgcc's, which stays loaded. `is_known` is set behind the others; threads that ask at once find the same. */
static struct {
  _Atomic(frame_function) add, remove;
  _Atomic int is_known;
} unwinder;

/* Whether it looks frames up without a lock: a signal's handler that unwinds cannot wait for what it has interrupted
 * then, and exceptions are no slower for frames that were told. From GCC 13 on, which added this function. */
static int has_no_lock(void *library) { return dlsym(library, "__truncsfbf2") != NULL; }

static void find_unwinder(void) {
  const char *wanted = secure_getenv("STOWAGE_FRAMES");
  void *library = dlopen != NULL && dlsym != NULL ? dlopen("libgcc_s.so.1", RTLD_LAZY | RTLD_LOCAL) : NULL;
  const int is_asked = wanted != NULL && *wanted != '\0';
  if (library != NULL && (is_asked ? strcmp(wanted, "0") != 0 : has_no_lock(library))) {
    void *add = dlsym(library, "__register_frame"), *remove = dlsym(library, "__deregister_frame");
    frame_function function;
    memcpy(&function, &remove, sizeof function);
    if (add != NULL) unwinder.remove = function;
    memcpy(&function, &add, sizeof function);
    if (remove != NULL) unwinder.add = function;
  }
  unwinder.is_known = 1;
}

/* No signal comes meanwhile: its handler may unwind. */
static void call_undisturbed(frame_function function, const void *frames) {
  sigset_t all, before;
  sigfillset(&all);
  /* On Linux a thread's own mask, whatever threads there are. */
  sigprocmask(SIG_BLOCK, &all, &before);
  function(frames);
  sigprocmask(SIG_SETMASK, &before, NULL);
}

/* 0: there is no unwinder that could be told, or it is not to be. */
static int tell_unwinder(const void *frames) {
  if (!unwinder.is_known) find_unwinder();
  const frame_function add = unwinder.add;
  if (add != NULL) call_undisturbed(add, frames);
  return add != NULL;
}

/* Of frames that it was told, before their code goes. */
static void untell_unwinder(const void *frames) { call_undisturbed(unwinder.remove, frames); }

#endif
