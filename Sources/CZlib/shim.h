// The parts of zlib that unpack and pack gzip: what it hides behind macros is a function here, and its input is only read.
#ifndef MISTERTOP_CZLIB_SHIM_H
#define MISTERTOP_CZLIB_SHIM_H

#define ZLIB_CONST
#include <zlib.h>

/// Begins a gzip member, checksum and all; anything but Z_OK says that there is no memory.
static inline int mistertop_gunzip_start(z_stream *stream) { return inflateInit2(stream, 15 + 16); }

/// Begins in the middle of a member, between two blocks of it; anything but Z_OK says that there is no memory.
static inline int mistertop_inflate_start(z_stream *stream) { return inflateInit2(stream, -15); }

/// Begins to write a gzip member; anything but Z_OK says that there is no memory.
static inline int mistertop_gzip_start(z_stream *stream) {
  return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

#endif
