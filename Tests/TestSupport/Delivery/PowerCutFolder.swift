import Foundation
package import Platform
import TestSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A folder whose files lose everything that was not synced, as in a power failure.
///
/// All calls of the operations are observed. The state of a file at its last sync is durable, and so are the names of a
/// folder at its last sync. Later changes survive completely, in part or not at all: names in order, bytes by sectors.
package final class PowerCutFolder: Sendable {
  /// The names and contents of the files after a power failure.
  package typealias Remains = [String: [UInt8]]

  private struct State {
    var calls = 0
    /// Files seen so far, held open so that their inodes are not reused.
    var held: [FileIdentity: Int32] = [:]
    /// The durable contents of each file.
    var sure: [FileIdentity: [UInt8]] = [:]
    /// The durable names, followed by their later states.
    var names: [[String: FileIdentity]] = [[:]]
    var cut: (call: Int, random: SeededGenerator)?
    var remains: Remains?
  }

  private let folder: String
  private let syncsFolder: Bool
  private let state = Locked(State())

  /// - Parameters:
  ///   - folder: The folder to observe.
  ///   - syncsFolder: False to leave names volatile after a sync of the folder, for control tests.
  package init(_ folder: String, syncsFolder: Bool = true) {
    (self.folder, self.syncsFolder) = (folder, syncsFolder)
  }

  deinit { state.withLock { state in state.held.values.forEach(Posix.close) } }

  /// Cuts the power before the `call`-th call from now on.
  package func cut(atCall call: Int, seed: UInt64) {
    state.withLock { $0.cut = ($0.calls + call, SeededGenerator(seed: seed)) }
  }

  /// The remains after the power failure; `nil` before it.
  package var remains: Remains? { state.withLock { $0.remains } }

  /// Cuts the power now, unless it has been cut already.
  package func cutNow(seed: UInt64) -> Remains {
    state.withLock { state in
      if state.remains == nil {
        state.cut = (0, SeededGenerator(seed: seed))
        note(&state)
      }
      return state.remains ?? [:]
    }
  }

  package var operations: FileOperations {
    var operations = FileOperations(
      write: { descriptor, bytes in
        self.state.withLock { self.note(&$0) }
        return FileOperations.system.write(descriptor, bytes)
      },
      sync: { descriptor in
        self.state.withLock { state in
          self.note(&state)
          guard let identity = (try? Posix.status(of: descriptor))?.identity else { return -1 }
          state.sure[identity] = state.held[identity].map(Self.bytes)
          return 0
        }
      })
    operations.syncFolder = { _ in
      self.state.withLock { state in
        self.note(&state)
        if self.syncsFolder { state.names.removeFirst(state.names.count - 1) }
        return 0
      }
    }
    return operations
  }

  /// Records the current names, and cuts the power if it is time.
  private func note(_ state: inout State) {
    var names: [String: FileIdentity] = [:]
    for name in (try? Posix.names(in: folder)) ?? [] {
      guard let descriptor = try? Posix.open(PathParts.join(folder, name)),
        let identity = (try? Posix.status(of: descriptor))?.identity
      else { continue }
      if state.held[identity] == nil { state.held[identity] = descriptor } else { Posix.close(descriptor) }
      names[name] = identity
    }
    if names != state.names.last { state.names.append(names) }
    state.calls += 1
    guard state.remains == nil, var cut = state.cut, state.calls >= cut.call else { return }
    state.remains = state.names.randomElement(using: &cut.random)?.mapValues { identity in
      Self.torn(
        state.held[identity].map(Self.bytes) ?? [], from: state.sure[identity] ?? [], using: &cut.random)
    }
  }

  private static func bytes(of descriptor: Int32) -> [UInt8] {
    let size = (try? Posix.status(of: descriptor)).map { Int(clamping: $0.size) } ?? 0
    return (try? Posix.read(descriptor, at: 0, count: size, with: FileOperations.system.read)) ?? []
  }

  /// The contents of a file that was being changed at the power failure.
  private static func torn(
    _ new: [UInt8], from old: [UInt8], using random: inout SeededGenerator
  ) -> [UInt8] {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return new
    case 1: return old
    default: break
    }
    let size = Int.random(in: min(old.count, new.count)...max(old.count, new.count), using: &random)
    var bytes = [UInt8](repeating: 0, count: size)
    for start in stride(from: 0, to: size, by: 512) {
      let sector = start..<min(start + 512, size)
      // A sector is written completely or not at all; after the old end there may be anything.
      switch Int.random(in: 0..<4, using: &random) {
      case 0
      where sector.upperBound > old.count
        && old[min(start, old.count)...] == new[min(start, old.count)..<min(old.count, new.count)]:
        for index in sector {
          bytes[index] = index < old.count ? old[index] : UInt8.random(in: 0...255, using: &random)
        }
      case 1, 2: for index in sector where index < new.count { bytes[index] = new[index] }
      default: for index in sector where index < old.count { bytes[index] = old[index] }
      }
    }
    return bytes
  }
}
