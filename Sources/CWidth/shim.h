// The width of a character. Swift's Glibc module does not include <wchar.h>, which additionally hides the function.
#ifndef MISTERTOP_CWIDTH_SHIM_H
#define MISTERTOP_CWIDTH_SHIM_H

#include <wchar.h>

extern int wcwidth(wchar_t character);

/// Columns in the locale of the process; -1 if the width is unknown.
static inline int mistertop_width(unsigned int character) { return wcwidth((wchar_t)character); }

#endif
