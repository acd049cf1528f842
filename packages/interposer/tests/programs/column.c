/* Columns of a matrix between pairs of ranks (a single one and itself), by calls of every kind that is hooked: column
 * TURNS. Prints whether all were right. As a shared object (DLOPENED) it is begun by a program that knows nothing of
 * MPI. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 64, COLUMNS = 16 };
static double sent[ROWS][COLUMNS], received[ROWS][COLUMNS];
static int wrong, peer;

static void clear(void) { memset(received, 0, sizeof received); }

static void check(int columns) {
  for (int i = 0; i < ROWS; i++)
    for (int k = 0; k < COLUMNS; k++) wrong += received[i][k] != (k < columns ? sent[i][k] : 0);
  clear();
}

static void contents(MPI_Datatype type) {
  int counts[4], integers[3];
  MPI_Aint addresses[1];
  MPI_Datatype types[1];
  MPI_Type_get_envelope(type, &counts[0], &counts[1], &counts[2], &counts[3]);
  wrong += counts[3] != MPI_COMBINER_VECTOR || counts[0] != 3 || counts[2] != 1;
  MPI_Type_get_contents(type, 3, 0, 1, integers, addresses, types);
  wrong += integers[0] != ROWS || integers[1] != 1 || integers[2] != COLUMNS || types[0] != MPI_DOUBLE;
}

static void messages(MPI_Datatype type) {
  MPI_Request requests[2];
  MPI_Status statuses[2];
  int flag = 0, position = 0, count = 0;
  static char packed[sizeof sent];
  MPI_Sendrecv(sent, 1, type, peer, 1, received, 1, type, peer, 1, MPI_COMM_WORLD, &statuses[0]);
  MPI_Get_count(&statuses[0], type, &count);
  wrong += count != 1;
  check(1);
  MPI_Irecv(received, 1, type, peer, 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(sent, 1, type, peer, 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, statuses);
  wrong += requests[0] != MPI_REQUEST_NULL || requests[1] != MPI_REQUEST_NULL || statuses[0].MPI_TAG != 2;
  check(1);
  PMPI_Irecv(received, 1, type, peer, 3, MPI_COMM_WORLD, &requests[0]);
  PMPI_Send(sent, 1, type, peer, 3, MPI_COMM_WORLD);
  while (!flag) PMPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
  check(1);
  MPI_Recv_init(received, 1, type, peer, 4, MPI_COMM_WORLD, &requests[0]);
  MPI_Send_init(sent, 1, type, peer, 4, MPI_COMM_WORLD, &requests[1]);
  MPI_Startall(2, requests);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  check(1);
  MPI_Pack(sent, 1, type, packed, sizeof packed, &position, MPI_COMM_SELF);
  wrong += position != ROWS * (int)sizeof(double);
  position = 0;
  MPI_Unpack(packed, sizeof packed, &position, received, 1, type, MPI_COMM_SELF);
  check(1);
  const int one = 1, nowhere = 0;
  MPI_Alltoallw(sent, &one, &nowhere, &type, received, &one, &nowhere, &type, MPI_COMM_SELF);
  check(1);
  MPI_Alltoallv(sent, &one, &nowhere, type, received, &one, &nowhere, type, MPI_COMM_SELF);
  check(1);
}

#if MPI_VERSION >= 4
/* The forms with large counts. */
static void large(MPI_Datatype type) {
  static char packed[sizeof sent];
  const MPI_Count one = 1;
  const MPI_Aint nowhere = 0;
  MPI_Count position = 0;
  MPI_Request requests[2];
  MPI_Sendrecv_c(sent, 1, type, peer, 1, received, 1, type, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  check(1);
  PMPI_Sendrecv_c(sent, 1, type, peer, 1, received, 1, type, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  check(1);
  MPI_Irecv_c(received, 1, type, peer, 2, MPI_COMM_WORLD, &requests[0]);
  PMPI_Isend_c(sent, 1, type, peer, 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  check(1);
  MPI_Pack_c(sent, 1, type, packed, sizeof packed, &position, MPI_COMM_SELF);
  wrong += position != ROWS * (MPI_Count)sizeof(double);
  position = 0;
  PMPI_Unpack_c(packed, sizeof packed, &position, received, 1, type, MPI_COMM_SELF);
  wrong += position != ROWS * (MPI_Count)sizeof(double);
  check(1);
  MPI_Alltoallw_c(sent, &one, &nowhere, &type, received, &one, &nowhere, &type, MPI_COMM_SELF);
  check(1);
}
#endif

static void turn(void) {
  MPI_Datatype column, again, few;
  MPI_Type_vector(ROWS, 1, COLUMNS, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  MPI_Type_dup(column, &again);
  contents(column);
  messages(column);
  messages(again);
#if MPI_VERSION >= 4
  large(again);
#endif
  MPI_Type_free(&column);
  MPI_Type_vector(ROWS, 2, COLUMNS, MPI_DOUBLE, &few);
  PMPI_Type_commit(&few);
  PMPI_Sendrecv(sent, 1, few, peer, 1, received, 1, few, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  check(2);
  PMPI_Type_free(&few);
  MPI_Type_free(&again);
  wrong += again != MPI_DATATYPE_NULL || few != MPI_DATATYPE_NULL;
}

#ifdef DLOPENED
int program(int argc, char **argv);
int program(int argc, char **argv) {
#else
int main(int argc, char **argv) {
#endif
  int all = 0, rank, ranks, provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  peer = ranks % 2 == 0 ? rank ^ 1 : rank;
  for (int i = 0; i < ROWS * COLUMNS; i++) sent[i / COLUMNS][i % COLUMNS] = i + 1;
  for (int turns = argc > 1 ? atoi(argv[1]) : 1; turns > 0; turns--) turn();
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  if (rank == 0) printf("%d wrong\n", all);
  return wrong != 0;
}
