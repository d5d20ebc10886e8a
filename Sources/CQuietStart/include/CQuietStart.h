#ifndef MISTERTOP_CQUIETSTART_H
#define MISTERTOP_CQUIETSTART_H

// Nothing to call: a program that is linked with this module never has the crash handler of the Swift runtime ask on
// its terminal what to do («Press space to interact»), which would hold the terminal for half a minute.

#endif
