#ifndef MISTERTOP_CQUIETSTART_H
#define MISTERTOP_CQUIETSTART_H

/// Has the crash handler of the Swift runtime not ask on the program's terminal what to do («Press space to interact»),
/// which would hold the terminal for half a minute. To be called before anything else.
void refuse_crash_prompt(void);

#endif
