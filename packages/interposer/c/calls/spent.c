#include "spent.h"

#include "clock.h"
#include "handle-table.h"
#include "next.h"
#include "predefined.h"

#include <stdlib.h>
#include <string.h>

/* The packing library's. Where that is not loaded nothing is recorded. */
void *stowage_interposer_entry(MPI_Datatype type) __attribute__((weak));
void stowage_interposer_spent(void *entry, int unpacks, int64_t messages, int64_t bytes, int64_t ns)
    __attribute__((weak));

static _Thread_local int depth __attribute__((tls_model("initial-exec")));

int64_t call_began(void) { return depth++ == 0 && stowage_interposer_spent != NULL ? now_ns() : 0; }

int64_t call_ended(int64_t began) {
  depth--;
  return began == 0 ? 0 : now_ns() - began;
}

static int is_type(MPI_Datatype type) { return type != PREDEFINED_NO_TYPE; }
static int is_request(MPI_Request request) { return request != PREDEFINED_NO_REQUEST; }

static void spent_on(const struct part *part, int64_t ns) {
  if (part->count <= 0 || !is_type(part->type)) return;
  void *entry = stowage_interposer_entry(part->type);
  int bytes = 0;
  if (entry == NULL) NEXT(PMPI_Type_size)(part->type, &bytes);
  stowage_interposer_spent(entry, part->side, 1, (int64_t)bytes * part->count, ns);
}

void spent(const struct part parts[], int count, int64_t ns) {
  if (ns == 0) return;
  for (int i = 0; i < count; i++) spent_on(&parts[i], ns / count);
}

static int others(MPI_Comm communicator) {
  int size = 0, is_inter = 0;
  NEXT(PMPI_Comm_test_inter)(communicator, &is_inter);
  if (is_inter) NEXT(PMPI_Comm_remote_size)(communicator, &size);
  else NEXT(PMPI_Comm_size)(communicator, &size);
  return size;
}

void spent_on_all(MPI_Comm communicator, struct numbers sent, const MPI_Datatype out[], struct numbers received,
                  const MPI_Datatype in[], int64_t ns) {
  if (ns == 0) return;
  const int size = others(communicator);
  const int64_t each = ns / (2 * (int64_t)(size > 0 ? size : 1));
  for (int i = 0; i < size; i++) {
    if (sent.all != NULL) spent_on(&(struct part){number_at(sent, (size_t)i), out[i], SENT}, each);
    spent_on(&(struct part){number_at(received, (size_t)i), in[i], RECEIVED}, each);
  }
}

/* A request's entry with its side in the lowest bit, and the next set, since no pointer of the table is NULL. */
static struct handle_table requests = HANDLE_TABLE_EMPTY;
enum { SIDE = 1, PRESENT = 2 };

void request_began(const struct part *part, const MPI_Request *request) {
  if (!is_request(*request) || !is_type(part->type)) return;
  handle_put(&requests, (uintptr_t)*request,
             (void *)((uintptr_t)stowage_interposer_entry(part->type) | PRESENT | (uintptr_t)part->side));
}

MPI_Request *requests_awaited(int count, const MPI_Request awaited[]) {
  MPI_Request *copy = count > 0 && awaited != NULL ? malloc((size_t)count * sizeof *copy) : NULL;
  return copy == NULL ? NULL : memcpy(copy, awaited, (size_t)count * sizeof *copy);
}

static void request_spent(MPI_Request request, int64_t ns) {
  const uintptr_t known = (uintptr_t)handle_find(&requests, (uintptr_t)request);
  if (!is_request(request)) return;
  stowage_interposer_spent((void *)(known & ~(uintptr_t)(SIDE | PRESENT)), (int)(known & SIDE), 0, 0, ns);
}

static int active(int count, const MPI_Request all[]) {
  int active = 0;
  for (int i = 0; i < count; i++) active += is_request(all[i]);
  return active;
}

void requests_spent(int count, MPI_Request *before, const MPI_Request after[], int64_t ns) {
  if (before == NULL) return;
  const int64_t each = ns / (active(count, before) + (active(count, before) == 0));
  for (int i = 0; i < count; i++) {
    if (ns > 0) request_spent(before[i], each);
    if (is_request(before[i]) && !is_request(after[i])) handle_drop(&requests, (uintptr_t)before[i]);
  }
  free(before);
}
