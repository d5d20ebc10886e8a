// The parts of zlib that compress and decompress gzip: functions in place of its macros, and input that is read-only.
#ifndef MISTERTOP_CZLIB_SHIM_H
#define MISTERTOP_CZLIB_SHIM_H

#define ZLIB_CONST
#include <zlib.h>

/// Starts decompressing a gzip member, including its checksum; any result but Z_OK means out of memory.
static inline int mistertop_gunzip_start(z_stream *stream) { return inflateInit2(stream, 15 + 16); }

/// Starts decompressing in the middle of a member, between two blocks; any result but Z_OK means out of memory.
static inline int mistertop_inflate_start(z_stream *stream) { return inflateInit2(stream, -15); }

/// Starts compressing a gzip member; any result but Z_OK means out of memory.
static inline int mistertop_gzip_start(z_stream *stream) {
  return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

#endif
