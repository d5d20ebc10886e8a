#ifndef MISTERTOP_CSCENARIOS_H
#define MISTERTOP_CSCENARIOS_H

// In C, because its compiler embeds files (`#embed`); as a literal of Swift they take half a minute to compile.

#include <stddef.h>

struct embedded_file {
  // The name without its ending.
  const char *name;
  const unsigned char *bytes;
  size_t size;
};

enum embedded_group { embedded_sync_stories, embedded_delivery_stories };

// The files of a group, in the order in which they are best read.
const struct embedded_file *embedded_files(enum embedded_group group, size_t *count);

#endif
