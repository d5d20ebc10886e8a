#include "CBuild.h"

// The definitions have no quotes, which the command lines of build systems treat in different ways.
#define QUOTED(text) #text
#define TEXT(text) QUOTED(text)

const char *build_commit(void) { return TEXT(COMMIT); }
const char *build_commit_date(void) { return TEXT(COMMIT_DATE); }
const char *build_swift_version(void) { return TEXT(SWIFT_VERSION); }
