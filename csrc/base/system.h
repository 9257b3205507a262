/* For the files that ask the operating system, in front of everything else: what its headers shall declare. */
#ifndef BGR_SYSTEM_H
#define BGR_SYSTEM_H

/* Without files and without mapped memory: databases come from bgr_open_memory alone.  Programs may ask for it; in
 * WebAssembly there is nothing else. */
#if defined(__wasm__) && !defined(BGR_NO_FILES)
#define BGR_NO_FILES
#endif

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#else
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE
#endif
#ifndef _DARWIN_C_SOURCE
#define _DARWIN_C_SOURCE
#endif
#define _FILE_OFFSET_BITS 64 /* on 32 bits too */
#endif

/* All memory from the program's own functions, which the one file is compiled with: docs/embedding.md. */
#ifdef BGR_OWN_MALLOC
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
void *BGR_OWN_MALLOC(size_t n_bytes);
void *BGR_OWN_REALLOC(void *memory, size_t n_bytes);
void BGR_OWN_FREE(void *memory);
static inline void *bgr_own_calloc(size_t n, size_t size)
{
    void *memory = size && n > SIZE_MAX / size ? NULL : BGR_OWN_MALLOC(n * size);
    return memory ? memset(memory, 0, n * size) : NULL;
}
#define malloc(n_bytes) BGR_OWN_MALLOC(n_bytes)
#define calloc(n, size) bgr_own_calloc(n, size)
#define realloc(memory, n_bytes) BGR_OWN_REALLOC(memory, n_bytes)
#define free(memory) BGR_OWN_FREE(memory)
#endif

#endif
