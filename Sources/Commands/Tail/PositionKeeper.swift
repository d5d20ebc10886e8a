import Foundation
import JSONLines

/// Keeps in a file how far `tail` has printed.
///
/// Saves at most once in an interval, and only what is new; what is lost by a kill is one interval, and that is printed
/// again by the next run.
struct PositionKeeper {
  /// Seconds between two savings.
  static let interval = 1.0

  private let path: String
  private let complain: @Sendable (String) -> Void
  /// What the file holds, positions of paths that are not followed now included.
  private var saved: PositionFile
  private var lastLook = -Double.infinity
  private var isStale = false
  private var hasComplained = false
  private let isFirstRun: Bool

  /// - Throws: why the file, which is there, cannot be read.
  init(path: String, complain: @escaping @Sendable (String) -> Void) throws(FileFailure) {
    self.path = path
    self.complain = complain
    let file = try PositionFile.load(path)
    if file == nil { complain("\(path) is damaged or no cursor file, so it begins as without one") }
    saved = file ?? PositionFile()
    isFirstRun = saved.positions.isEmpty
  }

  /// Where a path goes on; `nil` if that is not known.
  func start(of path: String) -> TailStateMachine.Start? {
    if let position = saved.positions[Self.absolute(path)] { return .after(position) }
    // A file that came while nobody was there has not been printed at all.
    return isFirstRun ? nil : .beginning
  }

  /// When it wants to save.
  var deadline: Double? { isStale ? lastLook + Self.interval : nil }

  /// Something may have been printed; saves if it is time.
  ///
  /// - Parameters:
  ///   - now: seconds of a clock that does not jump.
  ///   - positions: how far each path was printed; only asked when it is time.
  mutating func printed(at now: Double, positions: () -> [String: TailPosition]) {
    isStale = true
    guard now >= lastLook + Self.interval else { return }
    lastLook = now
    isStale = false
    save(positions())
  }

  mutating func save(_ positions: [String: TailPosition]) {
    var current = saved
    for (path, position) in positions { current.positions[Self.absolute(path)] = position }
    guard current != saved else { return }
    do throws(FileFailure) {
      try current.save(to: path)
      saved = current
    } catch {
      // Once is enough: it goes on without.
      if !hasComplained { complain("\(path) cannot be written: \(error.text)") }
      hasComplained = true
    }
  }

  private static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }
}

extension FileFailure {
  /// The reason in the system's words.
  var text: String {
    let code =
      switch self {
      case .missing: ENOENT
      case .denied: EACCES
      case .exhausted: EMFILE
      case .other(let code): code
      }
    return String(cString: strerror(code))
  }
}
