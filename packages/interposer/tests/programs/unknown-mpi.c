/* With LIBRARY an MPI of no ABI that anyone knows: handles of 64 bits that are neither addresses nor numbers, and no
 * name of its own. Else a program of it. */
#include <stdint.h>
#include <stdio.h>

int MPI_Init(int *, char ***);
int PMPI_Init(int *, char ***);
int MPI_Type_commit(uint64_t *);
int MPI_Type_dup(uint64_t, uint64_t *);
int MPI_Pack(const void *, int, uint64_t, void *, int, int *, uint64_t);
int MPI_Finalize(void);

#define HANDLE UINT64_C(0xfedcba9876543210)

#ifdef LIBRARY
static int calls;
int MPI_Init(int *argc, char ***argv) { return argc != NULL && argv != NULL ? calls++, 0 : 1; }
int PMPI_Init(int *argc, char ***argv) { return MPI_Init(argc, argv); }
int MPI_Type_commit(uint64_t *type) { return *type == HANDLE ? calls++, 0 : 1; }
int MPI_Type_dup(uint64_t type, uint64_t *other) { return *other = type + 1, type == HANDLE ? calls++, 0 : 1; }
int MPI_Pack(const void *user, int count, uint64_t type, void *packed, int room, int *position, uint64_t communicator) {
  *position = room - count;
  return user == packed && type == HANDLE && communicator == ~HANDLE ? calls++, 0 : 1;
}
int MPI_Finalize(void) { return printf("%d calls\n", calls), 0; }
#else
int main(int argc, char **argv) {
  uint64_t type = HANDLE, other = 0;
  int position = 0;
  const int wrong = MPI_Init(&argc, &argv) | MPI_Type_commit(&type) | MPI_Type_dup(type, &other) |
                    MPI_Pack(&type, 1, type, &type, 8, &position, ~HANDLE) | MPI_Finalize();
  return wrong || other != HANDLE + 1 || position != 7;
}
#endif
