/* A libnccl of one rank that sends to itself, in the host's memory and at once: what the binding passes must be what C
 * takes. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct {
  char internal[128];
} ncclUniqueId;

static char sent[4096];
static size_t sentBytes;
static int depth;
static const char *last = "";

int ncclGetVersion(int *version) {
  *version = VERSION;
  return 0;
}

int ncclGetUniqueId(ncclUniqueId *id) {
  for (int i = 0; i < 128; i++) id->internal[i] = (char)(i * 3);
  return 0;
}

int ncclCommInitRank(void **comm, int ranks, ncclUniqueId id, int rank) {
  for (int i = 0; i < 128; i++)
    if (id.internal[i] != (char)(i * 3)) return last = "the id is another", 4;
  if (ranks != 1 || rank != 0) return last = "Duplicate GPU detected :\n rank 1 and rank 0", 5;
  *comm = (void *)0x7f0000001000;
  return 0;
}

static int isComm(void *comm) { return comm == (void *)0x7f0000001000; }

int ncclCommDestroy(void *comm) { return isComm(comm) ? 0 : 4; }
int ncclCommAbort(void *comm) { return isComm(comm) ? 0 : 4; }

int ncclCommGetAsyncError(void *comm, int *result) {
  *result = sentBytes == 13 ? 6 : 0;
  return isComm(comm) ? 0 : 4;
}

int ncclGroupStart(void) { return depth++, 0; }
int ncclGroupEnd(void) { return depth--, 0; }

int ncclSend(const void *bytes, size_t count, int type, int peer, void *comm, void *stream) {
  if (depth != 1 || type != 0 || peer != 0 || !isComm(comm) || stream == NULL) return last = "wrong arguments", 4;
  memcpy(sent, bytes, count);
  sentBytes = count;
  return 0;
}

int ncclRecv(void *bytes, size_t count, int type, int peer, void *comm, void *stream) {
  if (depth != 1 || type != 0 || peer != 0 || !isComm(comm) || stream == NULL || count != sentBytes) return 4;
  memcpy(bytes, sent, count);
  return 0;
}

const char *ncclGetErrorString(int result) {
  return result == 5 ? "invalid usage" : result == 6 ? "remote error" : "failed";
}
const char *ncclGetLastError(void *comm) { return comm == NULL ? last : "none was asked for"; }
