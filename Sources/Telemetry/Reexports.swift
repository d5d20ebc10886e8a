// The library for apps: `TelemetryCore` plus Foundation's types, which the program does without because they bring 34
// MB of ICU tables. Measurements are views of the core's quantities.

@_exported public import TelemetryCore
