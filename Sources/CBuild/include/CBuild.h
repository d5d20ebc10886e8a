#ifndef MISTERTOP_CBUILD_H
#define MISTERTOP_CBUILD_H

/// Facts of this build, which the Makefile passes; `unknown` in other builds.

/// The commit, with a `+` if files were changed since.
const char *build_commit(void);
/// The day of the commit, such as `2026-11-30`.
const char *build_commit_date(void);
/// The version of the Swift compiler.
const char *build_swift_version(void);

#endif
