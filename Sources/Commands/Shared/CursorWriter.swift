import Essentials
import JSONLines
import Platform

/// Saves the positions up to which a command has printed or sent its files.
///
/// Only changes are saved.
final class CursorWriter {
  /// Seconds between two saves.
  static let interval = 1.0

  private let path: String
  private let store: PositionStore
  private let report: @Sendable (String) -> Void
  /// The positions as last saved.
  private var saved: PositionFile
  /// The positions to save, including those of paths that are not being followed.
  private var kept: PositionFile
  /// The position keys by given path: looked up once, since folders can vanish while they are followed.
  private var entries: [PathKey: PathKey] = [:]
  private var lastLook = MonotonicInstant.distantPast
  private var isStale = false
  private var hasReported = false

  /// - Throws: The reason why the file cannot be used.
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

  /// The start for a path: after the saved position, or at the beginning if no run has printed it yet.
  func start(of path: String) -> TailStateMachine.Start {
    position(of: path).map { .after($0) } ?? .beginning
  }

  /// The saved position of a path.
  func position(of path: String) -> TailPosition? { kept.positions[entry(PathKey(path))] }

  /// The places in the numbered samples of all files.
  var streams: [StreamPlace] {
    kept.positions.values.flatMap { ($0.late + [$0]).compactMap(\.stream) }
  }

  /// The time of the next save, if there is anything to save.
  var deadline: MonotonicInstant? { isStale ? lastLook + Self.interval : nil }

  /// Notes that something may have been printed; saves if the interval has passed.
  ///
  /// A kill loses at most one interval, which the next run prints again.
  ///
  /// - Parameter positions: Returns the position of each path; called only for a save.
  func printed(at now: MonotonicInstant, positions: () -> [PathKey: TailPosition]) {
    isStale = true
    guard now >= lastLook + Self.interval else { return }
    lastLook = now
    isStale = false
    save(positions())
  }

  /// - Returns: True if the positions are in the file.
  @discardableResult
  func save(_ positions: [PathKey: TailPosition]) -> Bool {
    for (path, position) in positions { kept.positions[entry(path)] = position }
    guard kept != saved else { return true }
    do throws(PositionStore.Refusal) {
      try store.save(kept)
      saved = kept
      return true
    } catch {
      // Reported once.
      if !hasReported { report("\(path) can no longer be written: \(error.text)") }
      hasReported = true
      return false
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
  /// The reason, as text that follows the path and a colon.
  var text: String {
    switch self {
    case .foreign: "is not a cursor file, so it is left as it is"
    case .taken:
      "is in use by another mistertop (each needs its own cursor file), or locked by a reader"
    case .tooLarge: "it would be larger than \(PositionFile.sizeLimit >> 20) MiB"
    case .failure(let failure): failure.text
    }
  }
}
