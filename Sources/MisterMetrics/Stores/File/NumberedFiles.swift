/// The names that rotation gives: the current file and its numbered predecessors, newest first.
struct NumberedFiles {
  let path: String

  /// The name of the file rotated `number` rotations ago.
  func name(_ number: Int) -> String { "\(path).\(number)" }

  /// The numbered files that exist without a gap, newest first.
  var existing: [String] {
    var names: [String] = []
    while Posix.status(at: name(names.count + 1)) != nil { names.append(name(names.count + 1)) }
    return names
  }

  /// Moves every file one number up and the current one to 1, removing what exceeds `keep`.
  ///
  /// The caller holds the current file's lock: whoever waits for it finds the name gone and goes on in the new file.
  func shift(keeping keep: Int) throws(MetricError) {
    let count = existing.count
    for number in stride(from: count, to: 0, by: -1) {
      if number >= keep {
        Posix.unlink(name(number))
      } else {
        try Posix.rename(name(number), to: name(number + 1))
      }
    }
    try Posix.rename(path, to: name(1))
  }
}
