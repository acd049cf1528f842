/* Loads damaged artifacts: fuzz PATH SEED COUNT. Half of them get a checksum that fits again, so that what lies behind it is
 * reached. Nothing that loads is run. Prints how many each status was given to. */
#include "../../../../runtime/stowage.c"

#include <stdio.h>

static uint64_t state;

static uint64_t drawn(uint64_t below) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state % below;
}

static unsigned char *read_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0) exit(2);
  *length = (size_t)ftell(file);
  rewind(file);
  unsigned char *bytes = malloc(*length + 1);
  if (bytes == NULL || fread(bytes, 1, *length, file) != *length) exit(2);
  fclose(file);
  return bytes;
}

static void put(unsigned char *at, uint64_t value, unsigned count) {
  for (unsigned i = 0; i < count; i++) at[i] = (unsigned char)(value >> 8 * i);
}

/* Bytes, words and numbers that are special, mostly in what C reads. */
static void mutate(unsigned char *bytes, size_t length) {
  static const uint64_t special[] = {0, 1, 63, 64, 96, 128, 0x7fffffff, 0xffffffff, INT64_MAX, UINT64_MAX, UINT64_MAX - 63};
  const size_t reach = drawn(4) > 0 && length > 300 ? 300 : length;
  for (uint64_t changes = 1 + drawn(4); changes > 0 && reach > 8; changes--) {
    const size_t at = (size_t)drawn(reach - 8);
    switch (drawn(4)) {
      case 0: bytes[at] ^= (unsigned char)(1u << drawn(8)); break;
      case 1: bytes[at] = (unsigned char)drawn(256); break;
      case 2: put(bytes + at / 4 * 4, special[drawn(11)], 4); break;
      default: put(bytes + at / 8 * 8, special[drawn(11)], 8); break;
    }
  }
}

static void reseal(unsigned char *bytes, size_t length) {
  if (length < 32) return;
  memcpy(bytes, "STOWAGE\x1a", 8);
  put(bytes + AT_LENGTH, length, 8);
  put(bytes + AT_CHECKSUM, checksum_of(bytes, length), 4);
}

/* Reads all that a kernel tells: the sanitizers watch. */
static uint64_t looked_at(const stowage_kernel *kernel) {
  size_t length;
  const unsigned char *description = stowage_description(kernel, &length);
  uint64_t sum = 0;
  for (size_t i = 0; i < length; i++) sum += description[i];
  for (size_t i = 0; i < stowage_moves(kernel); i++) sum += (uint64_t)stowage_move(kernel, i)->size;
  return sum;
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  size_t length;
  unsigned char *whole = read_file(argv[1], &length);
  state = strtoull(argv[2], NULL, 10) * 2654435761u + 1;
  const long count = strtol(argv[3], NULL, 10);
  long given[STOWAGE_DESCRIPTION + 1] = {0};
  volatile uint64_t sum = 0;
  for (long i = 0; i < count; i++) {
    const size_t cut = drawn(8) == 0 ? (size_t)drawn(length + 1) : length;
    /* Exactly as long as it is, so that the next byte is out of bounds. */
    unsigned char *bytes = malloc(cut == 0 ? 1 : cut);
    if (bytes == NULL) return 2;
    memcpy(bytes, whole, cut);
    mutate(bytes, cut);
    if (drawn(4) > 0) reseal(bytes, cut);
    stowage_kernel *kernel;
    const enum stowage_status status = stowage_load(bytes, cut, &kernel);
    given[status]++;
    if ((status == STOWAGE_OK) != (kernel != NULL)) return 1;
    free(bytes);
    if (kernel != NULL) sum += looked_at(kernel);
    stowage_unload(kernel);
  }
  for (int i = 0; i <= STOWAGE_DESCRIPTION; i++) printf("%ld%s", given[i], i == STOWAGE_DESCRIPTION ? "\n" : " ");
  free(whole);
  return 0;
}
