// Extended attributes of files, which the Swift overlay of glibc leaves out.
#ifndef MISTERTOP_CATTRIBUTES_SHIM_H
#define MISTERTOP_CATTRIBUTES_SHIM_H

#include <sys/xattr.h>

#endif
