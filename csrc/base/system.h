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

#endif
