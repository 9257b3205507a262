/* What the library takes of <string.h>, where WebAssembly has no C library: csrc/wasm/library.c. */
#ifndef BGR_WASM_STRING_H
#define BGR_WASM_STRING_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);
int memcmp(const void *a, const void *b, size_t n);
char *strchr(const char *text, int character);

#endif
