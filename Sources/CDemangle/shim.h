// The demangler of the Swift runtime, which every Swift program is linked with; no module declares it.
#ifndef MISTERTOP_CDEMANGLE_SHIM_H
#define MISTERTOP_CDEMANGLE_SHIM_H

#include <stddef.h>
#include <stdint.h>

// The result is NULL for a name that is not mangled; otherwise it is to be freed.
extern char *swift_demangle(
    const char *name, size_t length, char *buffer, size_t *buffer_size, uint32_t flags);

#endif
