// Prints for each path given: yes, or the component for which it is not a folder to trust.
#include "trusted-folder.h"

#include <stdio.h>

int main(int count, char **paths) {
  char at[PATH_MAX];
  for (int i = 1; i < count; i++) puts(is_trusted_folder(paths[i], at) ? "yes" : at);
  return 0;
}
