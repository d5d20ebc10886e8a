// What the Swift overlay of the C library leaves out: extended attributes, and two names that change places.
#ifndef MISTERTOP_CATTRIBUTES_SHIM_H
#define MISTERTOP_CATTRIBUTES_SHIM_H

#include <sys/xattr.h>

#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>

// Headers before glibc 2.28 lack the function and its flag.
static inline int exchange_names(int folder, const char *left, const char *right) {
  const unsigned exchange = 1 << 1;
  return (int)syscall(SYS_renameat2, folder, left, folder, right, exchange);
}
#else
#include <stdio.h>

static inline int exchange_names(int folder, const char *left, const char *right) {
  return renameatx_np(folder, left, folder, right, RENAME_SWAP);
}
#endif

#endif
