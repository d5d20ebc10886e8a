// SQLite, with functions in place of its macros.
#ifndef MISTERTOP_CSQLITE_SHIM_H
#define MISTERTOP_CSQLITE_SHIM_H

#include <sqlite3.h>

/// Binds bytes, which are copied. Zero bytes bind an empty value instead of NULL, whatever the pointer is.
static inline int mistertop_sqlite_bind(sqlite3_stmt *statement, int place, const void *bytes, int count) {
  return count == 0 ? sqlite3_bind_zeroblob(statement, place, 0)
                    : sqlite3_bind_blob(statement, place, bytes, count, SQLITE_TRANSIENT);
}

#endif
