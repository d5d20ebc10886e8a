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

  /// Moves every file one number up and the current one to 1, removing what exceeds `keep`.
  ///
  /// The caller holds the current file's lock: whoever waits for it finds the name gone and goes on in the new file.
  func shift(keeping keep: Int) throws(FileFailure) {
    let numbers = numbers
    // What lies beyond a free number stays where it is.
    let moving = zip(numbers, 1...).prefix { $0 == $1 }.map(\.0)
    for number in numbers.dropFirst(moving.count) where number > keep { Posix.unlink(name(number)) }
    for number in moving.reversed() {
      if number >= keep {
        Posix.unlink(name(number))
      } else {
        try Posix.rename(name(number), to: name(number + 1))
      }
    }
    try Posix.rename(path, to: name(1))
  }
}
