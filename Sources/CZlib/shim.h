// The part of zlib that unpacks gzip: what it hides behind macros is a function here, and its input is only read.
#ifndef MISTERTOP_CZLIB_SHIM_H
#define MISTERTOP_CZLIB_SHIM_H

#define ZLIB_CONST
#include <zlib.h>

/// Begins a gzip member, checksum and all; anything but Z_OK says that there is no memory.
static inline int mistertop_gunzip_start(z_stream *stream) { return inflateInit2(stream, 15 + 16); }

#endif
