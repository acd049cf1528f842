/* Messages whose elements lie apart, and everything that tells of them: statuses, probes, counts, requests in each way
 * of completing them. staged PART: loops and large messages so many times shorter. On two ranks; each line is a rule
 * and a hash of all that was received and told, gaps as well, on both: the same natively and with messages that are
 * given to the MPI as packed bytes. */
#include <inttypes.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TYPES = 3, SIZES = 4, FIRST_TAG = 10 };

static int rank, part = 1;
static uint64_t hash;
/* A column of doubles, runs of integers, and structs of a char and a double. */
static MPI_Datatype types[TYPES];
static const int counts[SIZES] = {1, 7, 600, 20000};

static void look(const void *bytes, size_t length) {
  const unsigned char *byte = bytes;
  for (size_t i = 0; i < length; i++) hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
}

static void look_at_number(int64_t number) { look(&number, sizeof number); }

static void report(const char *rule) {
  uint64_t other = 0;
  MPI_Sendrecv(&hash, 1, MPI_UINT64_T, 1 - rank, 1, &other, 1, MPI_UINT64_T, 1 - rank, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  if (rank == 0) printf("%s %016" PRIx64 " %016" PRIx64 "\n", rule, hash, other);
  hash = UINT64_C(0xcbf29ce484222325);
}

static void make_types(void) {
  MPI_Datatype column, structure;
  const int lengths[] = {1, 1};
  const MPI_Aint places[] = {0, 8};
  const MPI_Datatype members[] = {MPI_CHAR, MPI_DOUBLE};
  MPI_Type_vector(3, 1, 2, MPI_DOUBLE, &column);
  MPI_Type_create_resized(column, 0, 56, &types[0]);
  MPI_Type_vector(2, 3, 5, MPI_INT, &types[1]);
  MPI_Type_create_struct(2, lengths, places, members, &structure);
  MPI_Type_create_resized(structure, 0, 24, &types[2]);
  for (int i = 0; i < TYPES; i++) MPI_Type_commit(&types[i]);
  MPI_Type_free(&column);
  MPI_Type_free(&structure);
}

struct buffer {
  MPI_Datatype type;
  int count, size;
  size_t bytes;
  unsigned char *memory;
};

static struct buffer buffer_of(int type, int count, unsigned salt) {
  MPI_Aint lower, extent;
  struct buffer b = {.type = types[type], .count = count};
  MPI_Type_get_extent(b.type, &lower, &extent);
  MPI_Type_size(b.type, &b.size);
  b.bytes = (size_t)(extent * count);
  b.memory = malloc(b.bytes + 1);
  for (size_t i = 0; i < b.bytes; i++) b.memory[i] = (unsigned char)(i * 131 + (i >> 8) * 17 + salt * 29 + 7);
  return b;
}

static void done(struct buffer *b) {
  look(b->memory, b->bytes);
  free(b->memory);
}

static void look_at_status(const MPI_Status *status, MPI_Datatype type) {
  int elements = -1, basic = -1;
  MPI_Get_count(status, type, &elements);
  MPI_Get_elements(status, type, &basic);
  look_at_number(elements);
  look_at_number(basic);
  look_at_number(status->MPI_SOURCE);
  look_at_number(status->MPI_TAG);
}

/* MPICH 4.0.2 sends as bytes what is buffered or replaced, and fails to receive them where a fragment ends inside a
 * struct: such messages are of one fragment. */
enum { OF_ONE_FRAGMENT = 4000 };
static int may_be_bytes(int type, const struct buffer *b) { return type != 2 || b->size * b->count < OF_ONE_FRAGMENT; }

/* Calls `rule` with each type and count: of the rank that sends, and of that which receives. */
static void each(void (*rule)(int type, int count, int tag)) {
  for (int type = 0; type < TYPES; type++)
    for (int i = 0; i < SIZES; i++) rule(type, counts[i] / (counts[i] > part ? part : 1), FIRST_TAG + i);
}

static void blocking(int type, int count, int tag) {
  struct buffer b = buffer_of(type, count, (unsigned)rank);
  MPI_Status status;
  if (rank == 0) MPI_Send(b.memory, count, b.type, 1, tag, MPI_COMM_WORLD);
  else {
    MPI_Recv(b.memory, count, b.type, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    look_at_status(&status, b.type);
  }
  done(&b);
}

/* All of the kinds of send, to receives that are there. */
static void modes(int type, int count, int tag) {
  struct buffer b = buffer_of(type, count, (unsigned)rank);
  for (int mode = 0; mode < 3; mode++) {
    MPI_Request request;
    if (mode == 2 && !may_be_bytes(type, &b)) continue;
    if (rank == 1) MPI_Irecv(b.memory, count, b.type, 0, tag, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) MPI_Wait(&request, MPI_STATUS_IGNORE);
    else if (mode == 0) MPI_Ssend(b.memory, count, b.type, 1, tag, MPI_COMM_WORLD);
    else if (mode == 1) MPI_Rsend(b.memory, count, b.type, 1, tag, MPI_COMM_WORLD);
    else {
      int bytes;
      MPI_Pack_size(count, b.type, MPI_COMM_WORLD, &bytes);
      void *attached = malloc((size_t)bytes + MPI_BSEND_OVERHEAD);
      MPI_Buffer_attach(attached, bytes + MPI_BSEND_OVERHEAD);
      MPI_Bsend(b.memory, count, b.type, 1, tag, MPI_COMM_WORLD);
      MPI_Buffer_detach(&attached, &bytes);
      free(attached);
    }
  }
  done(&b);
}

static void probed(int type, int count, int tag) {
  struct buffer b = buffer_of(type, count, (unsigned)rank);
  for (int way = 0; way < 3; way++) {
    MPI_Status status;
    MPI_Message message;
    MPI_Request request;
    if (rank == 0) {
      MPI_Send(b.memory, count, b.type, 1, tag, MPI_COMM_WORLD);
      continue;
    }
    if (way == 0) MPI_Probe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    else MPI_Mprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &message, &status);
    look_at_status(&status, b.type);
    if (way == 0) MPI_Recv(b.memory, count, b.type, 0, tag, MPI_COMM_WORLD, &status);
    else if (way == 1) MPI_Mrecv(b.memory, count, b.type, &message, &status);
    else {
      MPI_Imrecv(b.memory, count, b.type, &message, &request);
      MPI_Wait(&request, &status);
    }
    look_at_status(&status, b.type);
    look(b.memory, b.bytes);
  }
  done(&b);
}

/* Half of the elements come; then some, and part of one more. */
static void shorter(int type, int count, int tag) {
  struct buffer b = buffer_of(type, count, (unsigned)rank);
  const int some = count / 2, integers = some * b.size / (int)sizeof(int);
  MPI_Status status;
  if (rank == 0) {
    MPI_Send(b.memory, some, b.type, 1, tag, MPI_COMM_WORLD);
    if (type == 1) MPI_Send(b.memory, integers + (count > some ? 2 : 0), MPI_INT, 1, tag, MPI_COMM_WORLD);
  } else {
    MPI_Recv(b.memory, count, b.type, 0, tag, MPI_COMM_WORLD, &status);
    look_at_status(&status, b.type);
    look(b.memory, b.bytes);
    if (type == 1) {
      MPI_Recv(b.memory, count, b.type, 0, tag, MPI_COMM_WORLD, &status);
      look_at_status(&status, b.type);
    }
  }
  done(&b);
}

/* What is too long is an error, and nothing of it is promised; the next message is another. */
static void truncated(int type, int count, int tag) {
  struct buffer b = buffer_of(type, count, (unsigned)rank), room = buffer_of(type, count + 1, 5);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (rank == 0) {
    MPI_Send(room.memory, count + 1, b.type, 1, tag, MPI_COMM_WORLD);
    MPI_Send(b.memory, count, b.type, 1, tag, MPI_COMM_WORLD);
  } else {
    int class;
    const int code = MPI_Recv(b.memory, count, b.type, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Error_class(code, &class);
    look_at_number(class == MPI_ERR_TRUNCATE);
    MPI_Recv(b.memory, count, b.type, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  free(room.memory);
  done(&b);
}

/* The one side has elements, the other has them packed. */
static void packed(int type, int count, int tag) {
  struct buffer b = buffer_of(type, count, (unsigned)rank);
  const int bytes = b.size * count;
  unsigned char *stream = malloc((size_t)bytes);
  int position = 0;
  if (rank == 0) {
    MPI_Pack(b.memory, count, b.type, stream, bytes, &position, MPI_COMM_WORLD);
    if (may_be_bytes(type, &b)) MPI_Send(stream, bytes, MPI_PACKED, 1, tag, MPI_COMM_WORLD);
    MPI_Send(b.memory, count, b.type, 1, tag, MPI_COMM_WORLD);
  } else {
    if (may_be_bytes(type, &b)) MPI_Recv(b.memory, count, b.type, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(stream, bytes, MPI_PACKED, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    look(stream, (size_t)bytes);
  }
  free(stream);
  done(&b);
}

/* --- Requests, completed in each way --- */

enum { REQUESTS = 5, WAYS = 10 };

static void wait_one_by_one(int count, MPI_Request requests[]) {
  for (int i = 0; i < count; i++) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
}

static void test_one_by_one(int count, MPI_Request requests[]) {
  for (int i = count - 1; i >= 0; i--)
    for (int flag = 0; !flag;) MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE);
}

static void any(int count, MPI_Request requests[], int waits) {
  for (int left = count, index, flag = 1; left > 0; left -= flag) {
    if (waits) MPI_Waitany(count, requests, &index, MPI_STATUS_IGNORE);
    else MPI_Testany(count, requests, &index, &flag, MPI_STATUS_IGNORE);
  }
}

static void some(int count, MPI_Request requests[], int waits) {
  int indices[REQUESTS];
  for (int left = count, done_now; left > 0; left -= done_now) {
    if (waits) MPI_Waitsome(count, requests, &done_now, indices, MPI_STATUSES_IGNORE);
    else MPI_Testsome(count, requests, &done_now, indices, MPI_STATUSES_IGNORE);
  }
}

static void all(int count, MPI_Request requests[], int waits) {
  int flag = 0;
  if (waits) MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
  else
    while (!flag) MPI_Testall(count, requests, &flag, MPI_STATUSES_IGNORE);
}

static void asked_first(int count, MPI_Request requests[]) {
  for (int i = 0; i < count; i++)
    for (int flag = 0; !flag;) MPI_Request_get_status(requests[i], &flag, MPI_STATUS_IGNORE);
}

static void complete(int way, int count, MPI_Request requests[], struct buffer buffers[]) {
  switch (way) {
  case 0: wait_one_by_one(count, requests); break;
  case 1: test_one_by_one(count, requests); break;
  case 2: any(count, requests, 1); break;
  case 3: any(count, requests, 0); break;
  case 4: some(count, requests, 1); break;
  case 5: some(count, requests, 0); break;
  case 6: all(count, requests, 1); break;
  case 7: all(count, requests, 0); break;
  default:
    asked_first(count, requests);
    for (int i = 0; i < count; i++) look(buffers[i].memory, buffers[i].bytes);
    all(count, requests, way == 8);
  }
}

static void requests(int type, int count, int tag) {
  for (int way = 0; way < WAYS; way++) {
    struct buffer buffers[REQUESTS];
    MPI_Request under_way[REQUESTS];
    for (int i = 0; i < REQUESTS; i++) {
      buffers[i] = buffer_of(type, count, (unsigned)(rank * REQUESTS + i));
      if (rank == 0) MPI_Isend(buffers[i].memory, count, types[type], 1, tag, MPI_COMM_WORLD, &under_way[i]);
      else MPI_Irecv(buffers[i].memory, count, types[type], 0, tag, MPI_COMM_WORLD, &under_way[i]);
    }
    complete(way, REQUESTS, under_way, buffers);
    for (int i = 0; i < REQUESTS; i++) look_at_number(under_way[i] == MPI_REQUEST_NULL), done(&buffers[i]);
  }
}

static void persistent(int type, int count, int tag) {
  for (int way = 0; way < WAYS; way++) {
    struct buffer buffers[REQUESTS];
    MPI_Request under_way[REQUESTS];
    for (int i = 0; i < REQUESTS; i++) {
      buffers[i] = buffer_of(type, count, (unsigned)(rank * REQUESTS + i));
      if (rank == 0) MPI_Send_init(buffers[i].memory, count, types[type], 1, tag, MPI_COMM_WORLD, &under_way[i]);
      else MPI_Recv_init(buffers[i].memory, count, types[type], 0, tag, MPI_COMM_WORLD, &under_way[i]);
    }
    for (int turn = 0; turn < 3; turn++) {
      if (turn == 1) MPI_Startall(REQUESTS, under_way);
      else
        for (int i = 0; i < REQUESTS; i++) MPI_Start(&under_way[i]);
      complete(way, REQUESTS, under_way, buffers);
      for (int i = 0; i < REQUESTS; i++) buffers[i].memory[0]++, look(buffers[i].memory, buffers[i].bytes);
    }
    for (int i = 0; i < REQUESTS; i++) MPI_Request_free(&under_way[i]), done(&buffers[i]);
  }
}

/* A send whose handle is freed at once; and a receive, which is over when the answer to it has come back. */
static void freed(int type, int count, int tag) {
  struct buffer b = buffer_of(type, count, (unsigned)rank);
  MPI_Request request;
  int word = 0, other = 0;
  if (rank == 1) {
    MPI_Irecv(b.memory, count, b.type, 0, tag, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    look_at_number(request == MPI_REQUEST_NULL);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Isend(b.memory, count, b.type, 1, tag, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    MPI_Send(&word, 1, MPI_INT, 1, tag + 1, MPI_COMM_WORLD);
    MPI_Recv(&word, 1, MPI_INT, 1, tag + 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    const double begun = MPI_Wtime();
    MPI_Recv(&word, 1, MPI_INT, 0, tag + 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    /* The MPI may still be receiving: its progress is in its calls. */
    while (MPI_Wtime() - begun < 0.02) MPI_Iprobe(MPI_ANY_SOURCE, tag + 2, MPI_COMM_WORLD, &word, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&word, 1, MPI_INT, 1, tag + 3, &other, 1, MPI_INT, 1, tag + 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&word, 1, MPI_INT, 0, tag + 1, MPI_COMM_WORLD);
  }
  done(&b);
}

static void cancelled(int type, int count, int tag) {
  struct buffer b = buffer_of(type, count, (unsigned)rank);
  int is_cancelled = -1;
  MPI_Request request;
  MPI_Status status;
  MPI_Irecv(b.memory, count, b.type, 1 - rank, tag, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &is_cancelled);
  look_at_number(is_cancelled);
  done(&b);
}

static void exchanged(int type, int count, int tag) {
  struct buffer out = buffer_of(type, count, (unsigned)rank), in = buffer_of(type, count, 9);
  MPI_Status status;
  MPI_Sendrecv(out.memory, count, out.type, 1 - rank, tag, in.memory, count, in.type, 1 - rank, tag, MPI_COMM_WORLD,
               &status);
  look_at_status(&status, in.type);
  if (may_be_bytes(type, &in))
    MPI_Sendrecv_replace(in.memory, count, in.type, 1 - rank, tag, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &status);
  look_at_status(&status, in.type);
  look(in.memory, in.bytes);
  MPI_Sendrecv(out.memory, count, out.type, rank, tag, in.memory, count, in.type, rank, tag, MPI_COMM_WORLD, &status);
  MPI_Sendrecv(out.memory, count, out.type, MPI_PROC_NULL, tag, in.memory, count, in.type, MPI_PROC_NULL, tag,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  done(&out);
  done(&in);
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*rule)(int type, int count, int tag);
  } rules[] = {{"blocking", blocking},   {"modes", modes},         {"probed", probed},      {"shorter", shorter},
               {"truncated", truncated}, {"packed", packed},       {"requests", requests},  {"persistent", persistent},
               {"freed", freed},         {"cancelled", cancelled}, {"exchanged", exchanged}};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc > 1) part = atoi(argv[1]);
  make_types();
  hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
    each(rules[i].rule);
    report(rules[i].name);
  }
  for (int i = 0; i < TYPES; i++) MPI_Type_free(&types[i]);
  MPI_Finalize();
  return 0;
}
