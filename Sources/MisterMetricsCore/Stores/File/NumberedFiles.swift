import Essentials
import Platform

/// The names used by rotation: the current file and its numbered predecessors, newest first.
package struct NumberedFiles {
  let path: String

  /// The files of a store at a path.
  package init(path: String) {
    self.path = path
  }

  /// The name of the file rotated `number` rotations ago.
  func name(_ number: Int) -> String { "\(path).\(number)" }

  /// The numbered files that exist, newest first.
  package var existing: [String] { numbers.map(name) }

  /// The numbers in use.
  ///
  /// A process killed during rotation leaves one number free, which the next rotation fills; two free ones mark the
  /// end.
  private var numbers: [Int] {
    var numbers: [Int] = []
    var next = 1
    while next <= (numbers.last ?? 0) + 2 {
      if Posix.status(at: name(next)) != nil { numbers.append(next) }
      next += 1
    }
    return numbers
  }

  /// Creates an empty current file, with the owner and attributes of another, unless someone else has created one.
  func makeCurrent(like other: Int32) throws(FileFailure) {
    let made = try ReplacementFile(for: path)
    try made.takeAttributes(of: other, path)
    try put(made)
  }

  /// Makes a file the current one, unless another process has created one.
  private func put(_ made: ReplacementFile) throws(FileFailure) {
    do { try made.putInFreePlace() } catch { guard error.number == EEXIST else { throw error } }
  }

  /// Moves every file up by one number, the current one to 1 and the next one into its place, and removes what exceeds
  /// `keep`.
  ///
  /// Nothing is removed before everything has been moved: a move may fail, and the process may be killed.
  ///
  /// The caller holds the current file's lock: processes that wait for it notice that the name refers to another file,
  /// and continue in that.
  ///
  /// - Throws: The failure to rename a file; the current file still has its name, and no file that is to be kept is
  ///   lost.
  func shift(keeping keep: Int, before next: ReplacementFile) throws(FileFailure) {
    let keep = max(keep, 1)
    // Left by a process that was killed during rotation.
    if let left = Posix.status(ofName: name(1)), left.kind == .regular, left.size == 0 {
      Posix.unlink(name(1))
    }
    // Files after a free number stay where they are.
    let moving = zip(numbers, 1...).prefix { $0 == $1 && $0 <= keep }.map(\.0)
    for number in moving where Posix.status(ofName: name(number))?.kind == .directory {
      throw FileFailure(.rename(name(number), to: name(number + 1)), number: EISDIR)
    }
    for number in moving.reversed() { try move(name(number), to: name(number + 1)) }
    if try !next.changePlaces(with: PathParts(name(1)).name) {
      try move(path, to: name(1))
      try put(next)
    }
    for number in numbers where number > keep { Posix.unlink(name(number)) }
  }

  /// Renames a file and atomically replaces the target, because the move may fail.
  private func move(_ source: String, to target: String) throws(FileFailure) {
    // If both names refer to one file, renaming removes neither.
    if let moved = Posix.status(ofName: source), Posix.status(ofName: target)?.identity == moved.identity {
      try Posix.remove(target)
    }
    try Posix.rename(source, to: target)
  }
}
