import Foundation
import JSONLines
import Platform

/// Keeps in a file how far `tail` has printed.
///
/// Saves at most once in an interval, and only what is new; what is lost by a kill is one interval, and that is printed
/// again by the next run.
final class PositionKeeper {
  /// Seconds between two savings.
  static let interval = 1.0

  private let path: String
  private let store: PositionStore
  private let complain: @Sendable (String) -> Void
  /// What the file holds, positions of paths that are not followed now included.
  private var saved: PositionFile
  /// The entries of the file by the paths as given: found once, since folders can go while they are followed.
  private var entries: [String: String] = [:]
  private var lastLook = -Double.infinity
  private var isStale = false
  private var hasComplained = false

  /// - Throws: why the file is not taken.
  init(path: String, complain: @escaping @Sendable (String) -> Void) throws(PositionStore.Refusal) {
    self.path = path
    self.complain = complain
    store = try PositionStore(path: path)
    saved = store.file
    if store.isDamaged { complain("\(path) is damaged, so everything is printed from the start") }
  }

  /// Where a path goes on: what no run has printed yet is printed from its start.
  func start(of path: String) -> TailStateMachine.Start {
    saved.positions[entry(path)].map { .after($0) } ?? .beginning
  }

  /// When it wants to save.
  var deadline: Double? { isStale ? lastLook + Self.interval : nil }

  /// Something may have been printed; saves if it is time.
  ///
  /// - Parameters:
  ///   - now: seconds of a clock that does not jump.
  ///   - positions: how far each path was printed; only asked when it is time.
  func printed(at now: Double, positions: () -> [String: TailPosition]) {
    isStale = true
    guard now >= lastLook + Self.interval else { return }
    lastLook = now
    isStale = false
    save(positions())
  }

  func save(_ positions: [String: TailPosition]) {
    var current = saved
    for (path, position) in positions { current.positions[entry(path)] = position }
    guard current != saved else { return }
    do throws(PositionStore.Refusal) {
      try store.save(current)
      saved = current
    } catch {
      // Once is enough: it goes on without.
      if !hasComplained { complain("\(path) is not written any more: \(error.text)") }
      hasComplained = true
    }
  }

  private func entry(_ path: String) -> String {
    if let entry = entries[path] { return entry }
    let entry = Posix.entry(path)
    entries[path] = entry
    return entry
  }
}

extension PositionStore.Refusal {
  /// What is the matter, to follow the path and a colon.
  var text: String {
    switch self {
    case .foreign: "what is there is no cursor file, so it is left as it is"
    case .taken: "another mistertop tail keeps it; each needs a cursor file of its own"
    case .failure(let failure): failure.text
    }
  }
}
