// getopt_long with its place in the command line passed out, instead of left in variables of the whole process that
// Swift 6 rightly refuses to read. Swift's own Glibc module does not contain <getopt.h>.
#ifndef MISTERTOP_CGETOPT_SHIM_H
#define MISTERTOP_CGETOPT_SHIM_H

#include <getopt.h>
#include <stddef.h>

/// Begins a new command line.
static inline void mistertop_getopt_start(void) {
  opterr = 0;
#ifdef __APPLE__
  optreset = 1;
  optind = 1;
#else
  optind = 0;
#endif
}

/// Takes the next option; the result is that of getopt_long.
///
/// `letters` names the one-letter options without a value, behind a colon; `place` receives the index of the next argument, `index` the option's in `options`, `value` its value or NULL.
static inline int mistertop_getopt_next(
    int count, char *const *arguments, const char *letters, const struct option *options, int *place, int *index, const char **value) {
  optarg = NULL;
  *index = -1;
  int found = getopt_long(count, arguments, letters, options, index);
  *place = optind;
  *value = optarg;
  return found;
}

#endif
