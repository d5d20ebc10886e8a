import Essentials
import Platform

/// The names that rotation gives: the current file and its numbered predecessors, newest first.
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
  /// A process killed while it rotates leaves one number free, which the next rotation fills; two free ones are the end.
  private var numbers: [Int] {
    var numbers: [Int] = []
    var next = 1
    while next <= (numbers.last ?? 0) + 2 {
      if Posix.status(at: name(next)) != nil { numbers.append(next) }
      next += 1
    }
    return numbers
  }

  /// Makes an empty current file, with the owner and the attributes of another, unless somebody else does.
  func makeCurrent(like other: Int32) throws(FileFailure) {
    let made = try ReplacementFile(for: path)
    try made.takeAttributes(of: other, path)
    try put(made)
  }

  /// Makes a file the current one, unless another process has made one.
  private func put(_ made: ReplacementFile) throws(FileFailure) {
    do { try made.putInFreePlace() } catch { guard error.number == EEXIST else { throw error } }
  }

  /// Moves every file one number up and the current one to 1, the next one into its place, and removes what exceeds `keep`.
  ///
  /// Nothing is removed before that is done: it may fail, and the process may be killed.
  ///
  /// The caller holds the current file's lock: processes that wait for it find that the name is another file's and continue in
  /// that.
  ///
  /// - Throws: The failure to move a name; the current file still has its name, and all files to be kept are there.
  func shift(keeping keep: Int, before next: ReplacementFile) throws(FileFailure) {
    let keep = max(keep, 1)
    // Left by a process that was killed while it rotated.
    if let left = Posix.status(ofName: name(1)), left.kind == .regular, left.size == 0 {
      Posix.unlink(name(1))
    }
    // Files beyond a free number stay where they are.
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

  /// Renames a file, replacing the other name's file in the same step, because the move may fail.
  private func move(_ source: String, to target: String) throws(FileFailure) {
    // If both names belong to one file, the system removes neither.
    if let moved = Posix.status(ofName: source), Posix.status(ofName: target)?.identity == moved.identity {
      try Posix.remove(target)
    }
    try Posix.rename(source, to: target)
  }
}
