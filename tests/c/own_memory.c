/* The allocator that the library is compiled with for tests; a program may have another. */
#include <stdlib.h>

void *own_malloc(size_t n);
void *own_realloc(void *memory, size_t n);
void own_free(void *memory);

__attribute__((weak)) void *own_malloc(size_t n) { return malloc(n); }
__attribute__((weak)) void *own_realloc(void *memory, size_t n) { return realloc(memory, n); }
__attribute__((weak)) void own_free(void *memory) { free(memory); }
