/* Messages that are long enough to go past the MPI, of ranks that spawn three processes more: past-spawn. Those
 * have the same environment, though launchers give them their own; they send each other what goes past the MPI, while
 * what goes to and from the first ones, between the groups and in one that has all, need not. Prints how many checks
 * there were and how many failed; or that the MPI spawns none. */
#include "past-columns.h"

#include <unistd.h>

enum { CHILDREN = 3, MOST_PEERS = 5, WORDS = 64, LETTERS = 4096 };

extern char **environ;

/* Everyone to everyone, of the other group where there are two. */
static void exchange(MPI_Comm communicator, const char *what) {
  int self, is_inter, peers;
  MPI_Comm_rank(communicator, &self);
  MPI_Comm_test_inter(communicator, &is_inter);
  if (is_inter) MPI_Comm_remote_size(communicator, &peers);
  else MPI_Comm_size(communicator, &peers);
  unsigned char *out = filled(self), *in[MOST_PEERS];
  MPI_Request requests[2 * MOST_PEERS];
  for (int i = 0; i < peers; i++) {
    in[i] = place();
    MPI_Irecv(in[i], 1, columns, i, 0, communicator, &requests[i]);
  }
  for (int i = 0; i < peers; i++) MPI_Isend(out, 1, columns, i, 0, communicator, &requests[peers + i]);
  MPI_Waitall(2 * peers, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < peers; i++) {
    check(has_columns(in[i], i, ROWS), what);
    free(in[i]);
  }
  free(out);
}

static int is_passed_on(const char *variable) {
  static const char *const names[] = {"LD_PRELOAD=", "STOWAGE_", "OMPI_MCA_btl_tcp_"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(variable, names[i], strlen(names[i])) == 0) return 1;
  return 0;
}

/* By env(1), with what this process has of its environment. MPI_COMM_NULL: the MPI cannot. */
static MPI_Comm spawned(char *program) {
  char *words[WORDS + 2];
  int count = 0, errors[CHILDREN];
  MPI_Comm children;
  for (char **each = environ; *each != NULL && count < WORDS; each++)
    if (is_passed_on(*each)) words[count++] = *each;
  words[count++] = program;
  words[count] = NULL;
  const int status = MPI_Comm_spawn("env", words, CHILDREN, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, errors);
  return status == MPI_SUCCESS ? children : MPI_COMM_NULL;
}

static void talk(MPI_Comm across, int is_child) {
  MPI_Comm all;
  exchange(MPI_COMM_WORLD, "an exchange in a world");
  exchange(across, "an exchange between worlds");
  MPI_Intercomm_merge(across, is_child, &all);
  exchange(all, "an exchange among all");
  report_of(all);
  MPI_Comm_free(&all);
  MPI_Comm_disconnect(&across);
}

int main(int argc, char **argv) {
  MPI_Comm across;
  char program[LETTERS] = {0};
  begin(&argc, &argv);
  if (readlink("/proc/self/exe", program, LETTERS - 1) < 0) return 2;
  MPI_Comm_get_parent(&across);
  const int is_child = across != MPI_COMM_NULL;
  if (!is_child) across = spawned(program);
  if (across != MPI_COMM_NULL) talk(across, is_child);
  else if (rank == 0) printf("no process was spawned\n");
  end();
  return 0;
}
