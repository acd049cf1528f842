/* A program that has no MPI until a shared object brings one, privately, as Python's modules do: dlopener OBJECT
 * ARGUMENT... */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
  void *object = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  int (*program)(int, char **) = object == NULL ? NULL : (int (*)(int, char **))dlsym(object, "program");
  if (program != NULL) return program(argc - 1, argv + 1);
  fprintf(stderr, "%s\n", dlerror());
  return 1;
}
