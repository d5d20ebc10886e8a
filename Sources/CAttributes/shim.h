// Functions missing from Swift's overlay of the C library: extended attributes, exchanging two names, the creation time
// of a file, the kind of its file system, and thread names.
#ifndef MISTERTOP_CATTRIBUTES_SHIM_H
#define MISTERTOP_CATTRIBUTES_SHIM_H

#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/xattr.h>

#ifdef __linux__
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

extern int pthread_setname_np(pthread_t thread, const char *name);

static inline void name_this_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

// A system call, because glibc before 2.28 declares neither the function nor its flag.
static inline int exchange_names(int folder, const char *left, const char *right) {
  const unsigned exchange = 1 << 1;
  return (int)syscall(SYS_renameat2, folder, left, folder, right, exchange);
}

// Creation time of an open file in nanoseconds since 1970; 0 if unknown. Like above, older headers also lack the
// structure.
static inline int64_t birth_time(int file) {
#ifdef SYS_statx
  const unsigned birth = 0x800;
  const int empty_path = 0x1000;
  unsigned char found[256] = {0};
  if (syscall(SYS_statx, file, "", empty_path, birth, found) != 0) return 0;
  uint32_t mask, nanoseconds;
  int64_t seconds;
  memcpy(&mask, found, sizeof mask);
  memcpy(&seconds, found + 0x50, sizeof seconds);
  memcpy(&nanoseconds, found + 0x58, sizeof nanoseconds);
  if (!(mask & birth) || seconds <= 0 || seconds > INT64_MAX / 1000000000 - 1) return 0;
  return seconds * 1000000000 + nanoseconds;
#else
  (void)file;
  return 0;
#endif
}

// Has a network file system ask its server for the attributes of a path, or of an open file if the path is empty, instead
// of answering from its cache.
static inline void refresh_attributes(int file, const char *path) {
#ifdef SYS_statx
  const int force_sync = 0x2000, empty_path = 0x1000, current_folder = -100;
  const unsigned size_and_time = 0x240;
  unsigned char found[256];
  if (*path == 0) {
    syscall(SYS_statx, file, path, force_sync | empty_path, size_and_time, found);
  } else {
    syscall(SYS_statx, current_folder, path, force_sync, size_and_time, found);
  }
#else
  (void)file;
  (void)path;
#endif
}

// The magic number of the file system of a path; 0 if unknown.
static inline uint32_t file_system_number(const char *path) {
  struct statfs found;
  return statfs(path, &found) == 0 ? (uint32_t)found.f_type : 0;
}
#else
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>

static inline void name_this_thread(const char *name) { pthread_setname_np(name); }

static inline int exchange_names(int folder, const char *left, const char *right) {
  return renameatx_np(folder, left, folder, right, RENAME_SWAP);
}

static inline int64_t birth_time(int file) {
  struct stat found;
  if (fstat(file, &found) != 0 || found.st_birthtimespec.tv_sec <= 0) return 0;
  return (int64_t)found.st_birthtimespec.tv_sec * 1000000000 + found.st_birthtimespec.tv_nsec;
}
// Only Linux lets a program ask for this.
static inline void refresh_attributes(int file, const char *path) {
  (void)file;
  (void)path;
}

// True if the file system of a path is on this machine, or unknown; otherwise its name is copied.
static inline int is_local_file_system(const char *path, char name[32]) {
  struct statfs found;
  if (statfs(path, &found) != 0 || (found.f_flags & MNT_LOCAL)) return 1;
  strlcpy(name, found.f_fstypename, 32);
  return 0;
}
#endif

#endif
