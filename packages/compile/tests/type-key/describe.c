/* Describes the types of a list on standard input, and prints key and description of each in hexadecimal. A type is its
 * nodes, children first, and the word end: named NAME LOWER EXTENT node COMBINER LOWER EXTENT INTEGERS... , behind
 * their number, ADDRESSES... likewise, CHILDREN... likewise With WITH_MPI each type is made by the MPI's constructors,
 * and described from its handle; bounds are then the MPI's. With an argument they are the constructors that take
 * MPI_Count. */
#include "stowage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 16 };
static int64_t integers[MOST], addresses[MOST];
static uint32_t children[MOST];

static size_t read_list(int64_t *values) {
  size_t count;
  if (scanf("%zu", &count) != 1 || count > MOST) exit(2);
  for (size_t i = 0; i < count; i++)
    if (scanf("%" SCNd64, &values[i]) != 1) exit(2);
  return count;
}

static void print(const stowage_describer *d) {
  size_t length;
  uint8_t key[16];
  const unsigned char *bytes = stowage_described(d, &length);
  stowage_key(bytes, length, "pack x64 1 avx2 ", key);
  for (int i = 0; i < 16; i++) printf("%02x", key[i]);
  printf(" ");
  for (size_t i = 0; i < length; i++) printf("%02x", bytes[i]);
  printf("\n");
}

static void must(enum stowage_status status) {
  if (status == STOWAGE_OK) return;
  fprintf(stderr, "%s\n", stowage_text(status));
  exit(1);
}

#ifdef WITH_MPI
#include "stowage_mpi.h"

static MPI_Datatype made[MOST];

static MPI_Datatype predefined(const char *name) {
#define KNOWN(type) \
  if (strcmp(name, #type) == 0) return type;
#include "predefined.h"
  fprintf(stderr, "unknown %s\n", name);
  exit(1);
}

static const int *ints(const int64_t *from, size_t count) {
  int *own = malloc((count + 1) * sizeof *own);
  for (size_t i = 0; i < count; i++) own[i] = (int)from[i];
  return own;
}

static const MPI_Aint *aints(const int64_t *from, size_t count) {
  MPI_Aint *own = malloc((count + 1) * sizeof *own);
  for (size_t i = 0; i < count; i++) own[i] = (MPI_Aint)from[i];
  return own;
}

static int order(int64_t ours) { return ours == STOWAGE_ORDER_C ? MPI_ORDER_C : MPI_ORDER_FORTRAN; }

static MPI_Datatype make_darray(MPI_Datatype child) {
  static const int distributions[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE};
  const int n = (int)integers[2];
  const size_t m = (size_t)n;
  int distribs[16], dargs[16];
  for (size_t i = 0; i < m; i++) distribs[i] = distributions[integers[3 + m + i]];
  for (size_t i = 0; i < m; i++)
    dargs[i] = integers[3 + 2 * m + i] == -1 ? MPI_DISTRIBUTE_DFLT_DARG : (int)integers[3 + 2 * m + i];
  MPI_Datatype type;
  MPI_Type_create_darray((int)integers[0], (int)integers[1], n, ints(integers + 3, m), distribs, dargs,
                         ints(integers + 3 + 3 * m, m), order(integers[3 + 4 * m]), child, &type);
  return type;
}

#if MPI_VERSION >= 4
static MPI_Datatype make_large_darray(MPI_Datatype child) {
  static const int distributions[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE};
  const size_t m = (size_t)integers[2];
  int distribs[16], dargs[16];
  for (size_t i = 0; i < m; i++) distribs[i] = distributions[integers[3 + m + i]];
  for (size_t i = 0; i < m; i++)
    dargs[i] = integers[3 + 2 * m + i] == -1 ? MPI_DISTRIBUTE_DFLT_DARG : (int)integers[3 + 2 * m + i];
  MPI_Datatype type;
  MPI_Type_create_darray_c((int)integers[0], (int)integers[1], (int)m, integers + 3, distribs, dargs,
                           ints(integers + 3 + 3 * m, m), order(integers[3 + 4 * m]), child, &type);
  return type;
}

static MPI_Datatype make_large(int combiner, size_t child_count) {
  const MPI_Datatype child = child_count > 0 ? made[children[0]] : MPI_BYTE;
  const int64_t n = integers[0], *const first = integers + 1, *const second = integers + 1 + n;
  MPI_Datatype type = MPI_DATATYPE_NULL, types[64];
  switch (combiner) {
  case STOWAGE_CONTIGUOUS: MPI_Type_contiguous_c(n, child, &type); break;
  case STOWAGE_VECTOR: MPI_Type_vector_c(n, integers[1], integers[2], child, &type); break;
  case STOWAGE_HVECTOR: MPI_Type_create_hvector_c(n, integers[1], addresses[0], child, &type); break;
  case STOWAGE_INDEXED: MPI_Type_indexed_c(n, first, second, child, &type); break;
  case STOWAGE_HINDEXED: MPI_Type_create_hindexed_c(n, first, addresses, child, &type); break;
  case STOWAGE_INDEXED_BLOCK: MPI_Type_create_indexed_block_c(n, integers[1], integers + 2, child, &type); break;
  case STOWAGE_HINDEXED_BLOCK: MPI_Type_create_hindexed_block_c(n, integers[1], addresses, child, &type); break;
  case STOWAGE_STRUCT:
    for (size_t i = 0; i < child_count && i < 64; i++) types[i] = made[children[i]];
    MPI_Type_create_struct_c(n, first, addresses, types, &type);
    break;
  case STOWAGE_SUBARRAY:
    MPI_Type_create_subarray_c((int)n, first, second, second + n, order(second[2 * n]), child, &type);
    break;
  case STOWAGE_DARRAY: return make_large_darray(child);
  case STOWAGE_RESIZED: MPI_Type_create_resized_c(child, addresses[0], addresses[1], &type); break;
  default: MPI_Type_dup(child, &type); break;
  }
  return type;
}
#else
static MPI_Datatype make(int, size_t);
#define make_large make
#endif

static MPI_Datatype make(int combiner, size_t child_count) {
  const MPI_Datatype child = child_count > 0 ? made[children[0]] : MPI_BYTE;
  const int n = (int)integers[0];
  const size_t m = (size_t)n;
  MPI_Datatype type = MPI_DATATYPE_NULL, types[64];
  switch (combiner) {
  case STOWAGE_CONTIGUOUS: MPI_Type_contiguous(n, child, &type); break;
  case STOWAGE_VECTOR: MPI_Type_vector(n, (int)integers[1], (int)integers[2], child, &type); break;
  case STOWAGE_HVECTOR: MPI_Type_create_hvector(n, (int)integers[1], (MPI_Aint)addresses[0], child, &type); break;
  case STOWAGE_INDEXED: MPI_Type_indexed(n, ints(integers + 1, m), ints(integers + 1 + m, m), child, &type); break;
  case STOWAGE_HINDEXED: MPI_Type_create_hindexed(n, ints(integers + 1, m), aints(addresses, m), child, &type); break;
  case STOWAGE_INDEXED_BLOCK:
    MPI_Type_create_indexed_block(n, (int)integers[1], ints(integers + 2, m), child, &type);
    break;
  case STOWAGE_HINDEXED_BLOCK:
    MPI_Type_create_hindexed_block(n, (int)integers[1], aints(addresses, m), child, &type);
    break;
  case STOWAGE_STRUCT:
    for (size_t i = 0; i < child_count && i < 64; i++) types[i] = made[children[i]];
    MPI_Type_create_struct(n, ints(integers + 1, m), aints(addresses, m), types, &type);
    break;
  case STOWAGE_SUBARRAY:
    MPI_Type_create_subarray(n, ints(integers + 1, m), ints(integers + 1 + m, m), ints(integers + 1 + 2 * m, m),
                             order(integers[1 + 3 * m]), child, &type);
    break;
  case STOWAGE_DARRAY: return make_darray(child);
  case STOWAGE_RESIZED: MPI_Type_create_resized(child, (MPI_Aint)addresses[0], (MPI_Aint)addresses[1], &type); break;
  default: MPI_Type_dup(child, &type); break;
  }
  return type;
}
#endif

int main(int argc, char **argv) {
#ifdef WITH_MPI
  MPI_Init(&argc, &argv);
#else
  (void)argc, (void)argv;
#endif
  char word[256];
  stowage_describer *d = stowage_describe();
  uint32_t node = 0, count = 0;
  static uint32_t numbers[MOST];
  while (scanf("%255s", word) == 1) {
    int64_t lower = 0, extent = 0;
    if (strcmp(word, "end") == 0) {
#ifdef WITH_MPI
      must(stowage_describe_mpi(d, made[count - 1], &node));
#endif
      print(d);
      stowage_describer_free(d);
      d = stowage_describe();
      count = 0;
    } else if (strcmp(word, "named") == 0) {
      if (scanf("%255s %" SCNd64 " %" SCNd64, word, &lower, &extent) != 3) return 2;
#ifdef WITH_MPI
      made[count++] = predefined(word);
#else
      must(stowage_describe_named(d, word, lower, extent, &numbers[count++]));
#endif
    } else {
      int combiner;
      if (scanf("%d %" SCNd64 " %" SCNd64, &combiner, &lower, &extent) != 3) return 2;
      static int64_t listed[MOST];
      const size_t n_integers = read_list(integers), n_addresses = read_list(addresses), n_children = read_list(listed);
      (void)n_integers, (void)n_addresses;
      for (size_t i = 0; i < n_children; i++) children[i] = (uint32_t)listed[i];
#ifdef WITH_MPI
      made[count++] = argc > 1 ? make_large(combiner, n_children) : make(combiner, n_children);
#else
      for (size_t i = 0; i < n_children; i++) children[i] = numbers[children[i]];
      const struct stowage_contents c = {integers, addresses, children, n_integers, n_addresses, n_children};
      must(stowage_describe_node(d, (enum stowage_combiner)combiner, &c, lower, extent, &numbers[count++]));
#endif
    }
  }
  stowage_describer_free(d);
#ifdef WITH_MPI
  MPI_Finalize();
#endif
  (void)node, (void)numbers;
  return 0;
}
