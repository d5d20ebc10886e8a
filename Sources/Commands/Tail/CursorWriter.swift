import Essentials
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
  /// The contents of the file.
  private var saved: PositionFile
  /// The positions to be kept of it, including those of paths that are not followed now.
  private var kept: PositionFile
  /// The keys of the file by the paths as given: looked up once, since folders can vanish while they are followed.
  private var entries: [PathKey: PathKey] = [:]
  private var lastLook = MonotonicInstant.distantPast
  private var isStale = false
  private var hasReported = false

  /// - Throws: Why the file is refused.
  init(
    path: String, now: Timestamp = .now(), report: @escaping @Sendable (String) -> Void
  ) throws(PositionStore.Refusal) {
    self.path = path
    self.report = report
    store = try PositionStore(path: path)
    saved = store.file
    kept = saved
    kept.dropGone(now: Int64(exactly: now.unixSeconds.rounded(.down)) ?? 0)
    if store.isDamaged { report("\(path) is damaged, so everything is printed from the start") }
  }

  /// Where a path continues; a path that no run has printed starts at its beginning.
  func start(of path: String) -> TailStateMachine.Start {
    kept.positions[entry(PathKey(path))].map { .after($0) } ?? .beginning
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
    for (path, position) in positions { kept.positions[entry(path)] = position }
    guard kept != saved else { return }
    do throws(PositionStore.Refusal) {
      try store.save(kept)
      saved = kept
    } catch {
      // Reported once; the run continues without it.
      if !hasReported { report("\(path) can no longer be written: \(error.text)") }
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
    case .taken:
      "is in use by another mistertop tail (each needs its own cursor file), or locked by a reader"
    case .tooLarge: "it would be larger than \(PositionFile.sizeLimit >> 20) MiB"
    case .failure(let failure): failure.text
    }
  }
}
