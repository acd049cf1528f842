/* What the runtime answers: refuse PATH... prints, for each file, the text of the status that loading it came to. */
#include "stowage.h"

#include <stdio.h>

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    stowage_kernel *kernel;
    const enum stowage_status status = stowage_load_file(argv[i], &kernel);
    printf("%d %s\n", (int)status, stowage_text(status));
    if (kernel != NULL && status != STOWAGE_OK) return 1;
    stowage_unload(kernel);
  }
  return 0;
}
