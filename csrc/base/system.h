/* Feature macros for files that use the operating system; included before everything else. */
#pragma once

/* BGR_NO_FILES: no files and no mapped memory, so that databases come only from bgr_open_memory.  Programs may define
 * it; WebAssembly always has it. */
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

/* Use the program's own functions for all memory, if the one-file library is compiled with them: docs/embedding.md. */
#ifdef BGR_OWN_MALLOC
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
void *BGR_OWN_MALLOC(size_t);
void *BGR_OWN_REALLOC(void *, size_t);
void BGR_OWN_FREE(void *);
/* The only calls, where no variable can have the same name. */
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
