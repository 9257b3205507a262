/* For the files that ask the operating system, in front of everything else: what its headers shall declare. */
#ifndef BGR_SYSTEM_H
#define BGR_SYSTEM_H

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
