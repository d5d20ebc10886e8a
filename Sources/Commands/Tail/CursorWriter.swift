import Foundation
import JSONLines
import Platform

/// Keeps the positions up to which `tail` has printed in a file.
///
/// Saves at most once per interval, and only changes; a kill loses at most one interval, which the next run prints
/// again.
final class CursorWriter {
  /// Seconds between two saves.
  static let interval = 1.0

  private let path: String
  private let store: PositionStore
  private let report: @Sendable (String) -> Void
  /// The contents of the file, including positions of paths that are not followed now.
  private var saved: PositionFile
  /// The keys of the file by the paths as given: looked up once, since folders can vanish while they are followed.
  private var entries: [PathKey: PathKey] = [:]
  private var lastLook = MonotonicInstant.distantPast
  private var isStale = false
  private var hasReported = false

  /// - Throws: Why the file is refused.
  init(path: String, report: @escaping @Sendable (String) -> Void) throws(PositionStore.Refusal) {
    self.path = path
    self.report = report
    store = try PositionStore(path: path)
    saved = store.file
    if store.isDamaged { report("\(path) is damaged, so everything is printed from the start") }
  }

  /// Where a path continues; a path that no run has printed starts at its beginning.
  func start(of path: String) -> TailStateMachine.Start {
    saved.positions[entry(PathKey(path))].map { .after($0) } ?? .beginning
  }

  /// When the next save is due.
  var deadline: MonotonicInstant? { isStale ? lastLook + Self.interval : nil }

  /// Notes that something may have been printed; saves if it is time.
  ///
  /// - Parameter positions: How far each path was printed; only called when it is time.
  func printed(at now: MonotonicInstant, positions: () -> [PathKey: TailPosition]) {
    isStale = true
    guard now >= lastLook + Self.interval else { return }
    lastLook = now
    isStale = false
    save(positions())
  }

  func save(_ positions: [PathKey: TailPosition]) {
    var current = saved
    for (path, position) in positions { current.positions[entry(path)] = position }
    guard current != saved else { return }
    do throws(PositionStore.Refusal) {
      try store.save(current)
      saved = current
    } catch {
      // Reported once; the run continues without it.
      if !hasReported { report("\(path) cannot be written any more: \(error.text)") }
      hasReported = true
    }
  }

  private func entry(_ path: PathKey) -> PathKey {
    if let entry = entries[path] { return entry }
    let entry = PathKey(Posix.entry(path.text))
    entries[path] = entry
    return entry
  }
}

extension PositionStore.Refusal {
  /// The reason, to follow the path and a colon.
  var text: String {
    switch self {
    case .foreign: "is not a cursor file, so it is left as it is"
    case .taken: "is in use by another mistertop tail; each needs its own cursor file"
    case .failure(let failure): failure.text
    }
  }
}
