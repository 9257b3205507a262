/* What the library takes of <stdlib.h>, where WebAssembly has no C library: csrc/wasm/library.c. */
#ifndef BGR_WASM_STDLIB_H
#define BGR_WASM_STDLIB_H

#include <stddef.h>

void *malloc(size_t size);
void *calloc(size_t n, size_t size);
void *realloc(void *memory, size_t size);
void free(void *memory);
void qsort(void *array, size_t n, size_t size, int (*compare)(const void *, const void *));
void *bsearch(const void *key, const void *array, size_t n, size_t size, int (*compare)(const void *, const void *));

#endif
