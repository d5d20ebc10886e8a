import Essentials

/// Keeps the system from suspending the process while something is being written.
enum ProtectedActivity {
  /// Runs `body`, returns its value and passes its error on.
  static func run<Value>(_ body: () throws -> Value) throws -> Value {
    #if canImport(Darwin)
      let activity = ProcessInfo.processInfo.beginActivity(
        options: [.automaticTerminationDisabled, .suddenTerminationDisabled], reason: "writing")
      defer { ProcessInfo.processInfo.endActivity(activity) }
    #endif
    return try body()
  }
}
