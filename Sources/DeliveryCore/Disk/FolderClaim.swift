import Platform

/// The right to a client's folder, which one client of all processes has at a time.
///
/// Successive clients of one proxy share it, so that a reset does not open the folder to another process.
package final class FolderClaim: Sendable {
  private enum State {
    case untried
    /// Held by the lock of this file.
    case held(Int32)
    /// The folder cannot be used at all; its files report that.
    case unusable
    case lost
  }

  /// The folder.
  package let path: String
  private let state = Locked(State.untried)

  private static let lockName = "client.lock"

  package init(_ path: String) { self.path = path }

  /// Takes the folder.
  ///
  /// - Parameter again: True to try again after another client had it.
  /// - Returns: False if another client has it.
  package func take(again: Bool = false) -> Bool {
    state.withLock { state in
      switch state {
      case .held, .unusable: return true
      case .lost where !again: return false
      case .lost, .untried: break
      }
      do throws(FileFailure) {
        let folder = try OpenFolder.own(path).folder.path
        let file = PathParts.join(folder, Self.lockName)
        state = try Posix.openAlone(file, permissions: 0o600, with: .system).map(State.held) ?? .lost
      } catch {
        state = .unusable
      }
      if case .lost = state { return false }
      return true
    }
  }

  deinit {
    guard case .held(let lock) = state.withLock({ $0 }) else { return }
    // A process waiting for this lock checks that the file still has its name.
    Posix.unlink(PathParts.join(path, Self.lockName))
    Posix.close(lock)
  }
}
