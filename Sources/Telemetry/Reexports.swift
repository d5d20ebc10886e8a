// The library that apps link: `TelemetryCore` with the types of Foundation that the program does without, because they
// bring 34 MB of ICU's tables. Measurements are views of the quantities that the core keeps.

@_exported public import TelemetryCore
