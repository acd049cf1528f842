// Runs cases of a file that holds everything they need: images of code, and of each case its function, ranges, source,
// target and what the target is to hold then. Prints how many cases there were, and each that went wrong.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef void move_function(const void *source, void *target, int64_t count, int64_t first, int64_t length);

static FILE *input;

static int64_t number(void) {
  int64_t value;
  if (fread(&value, sizeof value, 1, input) != 1) {
    puts("cut short");
    exit(1);
  }
  return value;
}

static unsigned char *bytes(int64_t length) {
  unsigned char *memory = malloc(length + 1);
  if (memory == NULL || fread(memory, 1, length, input) != (size_t)length) {
    puts("cut short");
    exit(1);
  }
  return memory;
}

static unsigned char *image(int64_t length) {
  unsigned char *from = bytes(length);
  unsigned char *code = mmap(NULL, length, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (code == MAP_FAILED) {
    puts("no memory to execute");
    exit(1);
  }
  memcpy(code, from, length);
  __builtin___clear_cache((char *)code, (char *)code + length);
  free(from);
  return code;
}

int main(int argc, char **argv) {
  input = argc > 1 ? fopen(argv[1], "rb") : NULL;
  if (input == NULL) {
    puts("no file");
    return 1;
  }
  int64_t cases = 0, images = number();
  for (int64_t i = 0; i < images; i++) {
    unsigned char *code = image(number());
    for (int64_t left = number(); left > 0; left--, cases++) {
      union {
        unsigned char *address;
        move_function *call;
      } entry = {.address = code + number()};
      int64_t count = number(), source_origin = number(), target_origin = number();
      int64_t source_bytes = number(), target_bytes = number(), ranges = number();
      unsigned char *source = bytes(source_bytes), *target = bytes(target_bytes), *expected = bytes(target_bytes);
      for (int64_t range = 0; range < ranges; range++) {
        int64_t first = number(), length = number();
        entry.call(source + source_origin, target + target_origin, count, first, length);
      }
      if (memcmp(target, expected, target_bytes) != 0) printf("case %lld differs\n", (long long)cases);
      free(source), free(target), free(expected);
    }
  }
  printf("%lld cases\n", (long long)cases);
  return 0;
}
