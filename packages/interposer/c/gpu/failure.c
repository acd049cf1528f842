#include "failure.h"

#include "driver.h"

#include <stdio.h>
#include <unistd.h>

/* Where the program goes on with an error, it must hear of the cause; where it does not, natively it would have ended
 * here. */
static int tell(const char *what, const char *expected, const char *got, int class) {
  char line[256];
  const int letters = snprintf(line, sizeof line, "stowage: %s: expected %s, got %s\n", what, expected, got);
  return letters > 0 && write(STDERR_FILENO, line, (size_t)letters) < 0 ? MPI_ERR_OTHER : class;
}

int gpu_failed(const char *what, int result) {
  return tell(what, driver_success(), driver_name_of(result),
              result == DRIVER_OUT_OF_MEMORY ? MPI_ERR_NO_MEM : MPI_ERR_OTHER);
}

int gpu_is_gone(void) {
  return tell("a device buffer in use by a message", "memory of its device", "it freed", MPI_ERR_BUFFER);
}
