import Essentials
import Platform

/// A store in a folder of its own that is removed with the session, however the session ends.
///
/// The guard removes the folder if the process dies; if both die, the next session does.
@MainActor
enum TemporaryStore {
  /// Creates the folder, calls `body` with the URL of the store in it, and removes the folder again.
  ///
  /// - Parameter name: The name of the store, as the screen shows it.
  static func with(
    _ name: String, _ host: any CommandHost, _ body: (URL) async throws -> ExitCode
  ) async throws -> ExitCode {
    let temporary = FileManager.default.temporaryDirectory
    SessionFolder.removeStale(in: temporary, now: .now())
    // The store may contain data from other people's devices.
    let session = try SessionFolder.make(process: ProcessInfo.processInfo.processIdentifier, in: temporary)
    let folder = session.folder
    host.setCleanupFolder(folder.path)
    let result: Result<ExitCode, any Error>
    do { result = .success(try await body(folder.appendingPathComponent(name))) } catch {
      result = .failure(error)
    }
    session.remove()
    return try result.get()
  }
}
