import Essentials

/// Keeps the system from suspending the process during a write.
enum ProtectedActivity {
  /// Runs `body`, and returns its value or rethrows its error.
  static func run<Value>(_ body: () throws -> Value) throws -> Value {
    #if canImport(Darwin)
      let activity = ProcessInfo.processInfo.beginActivity(
        options: [.automaticTerminationDisabled, .suddenTerminationDisabled], reason: "writing")
      defer { ProcessInfo.processInfo.endActivity(activity) }
    #endif
    return try body()
  }
}
