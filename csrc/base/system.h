/* For the files that ask the operating system, in front of everything else: what its headers shall declare. */
#pragma once

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
void *BGR_OWN_MALLOC(size_t);
void *BGR_OWN_REALLOC(void *, size_t);
void BGR_OWN_FREE(void *);
/* Called here alone, where no variable can have the same name. */
static inline void *bgr_own_malloc(size_t bgr_n_bytes) { return BGR_OWN_MALLOC(bgr_n_bytes); }
static inline void *bgr_own_realloc(void *bgr_memory, size_t bgr_n_bytes)
{
    return BGR_OWN_REALLOC(bgr_memory, bgr_n_bytes);
}
static inline void bgr_own_free(void *bgr_memory) { BGR_OWN_FREE(bgr_memory); }
static inline void *bgr_own_calloc(size_t n, size_t size)
{
    void *memory = size && n > SIZE_MAX / size ? NULL : bgr_own_malloc(n * size);
    return memory ? memset(memory, 0, n * size) : NULL;
}
#define malloc bgr_own_malloc
#define calloc bgr_own_calloc
#define realloc bgr_own_realloc
#define free bgr_own_free
#endif
