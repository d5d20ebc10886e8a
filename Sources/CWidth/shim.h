// The width of a character. Swift's own Glibc module does not contain <wchar.h>, which hides the function besides.
#ifndef MISTERTOP_CWIDTH_SHIM_H
#define MISTERTOP_CWIDTH_SHIM_H

#include <wchar.h>

extern int wcwidth(wchar_t character);

/// Columns in the locale of the process; -1 where it knows no width.
static inline int mistertop_width(unsigned int character) { return wcwidth((wchar_t)character); }

#endif
