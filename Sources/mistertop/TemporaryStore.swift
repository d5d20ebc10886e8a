import Commands
import Foundation
import TerminalNcurses

/// A store in a folder of its own that goes with the session, whatever ends it.
///
/// The guard takes the folder away if the process dies; after a death of both, the next session does.
@MainActor
enum TemporaryStore {
  /// Makes the folder, hands over the place of the store in it and takes the folder away again.
  ///
  /// - Parameter name: The name of the store, as the screen shows it.
  static func with(_ name: String, _ body: (URL) async throws -> ExitCode) async throws -> ExitCode {
    let temporary = FileManager.default.temporaryDirectory
    DemoFolder.removeStale(in: temporary, now: Date())
    let folder = DemoFolder.url(process: ProcessInfo.processInfo.processIdentifier, in: temporary)
    TerminalGuard.setLitter(folder.path)
    // What is in it may be of other people's devices.
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let result: Result<ExitCode, any Error>
    do { result = .success(try await body(folder.appendingPathComponent(name))) } catch {
      result = .failure(error)
    }
    try FileManager.default.removeItem(at: folder)
    return try result.get()
  }
}
