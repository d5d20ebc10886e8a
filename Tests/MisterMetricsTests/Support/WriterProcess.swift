import Foundation

/// A running `metric-writer`.
struct WriterProcess {
  private let process = Process()

  /// Starts it.
  init(_ arguments: String...) throws {
    process.executableURL = try Self.executable()
    process.arguments = arguments
    try process.run()
  }

  /// Ends it with signal 9.
  func kill() {
    _ = Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Waits for its end.
  func waitForEnd() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// The helper stands beside the test bundle.
  private static func executable() throws -> URL {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    while folder.path != "/" {
      let candidate = folder.appendingPathComponent("metric-writer")
      if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
      folder.deleteLastPathComponent()
    }
    throw CocoaError(.fileNoSuchFile)
  }
}
