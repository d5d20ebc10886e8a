extension MatrixRun.Tally {
  /// Compares the lines received with those written: each exactly once, in the order written.
  ///
  /// - Parameter inOrder: True if the order is guaranteed, too.
  package mutating func compare(written: [String], got: [String], inOrder: Bool = true) {
    expected += written.count
    self.got += got.count
    guard written != got else { return }
    var open: [String: Int] = [:]
    for line in written { open[line, default: 0] += 1 }
    let known = Set(written)
    for line in got {
      if let left = open[line], left > 0 {
        open[line] = left - 1
      } else if known.contains(line) {
        duplicated += 1
      } else {
        bad += 1
      }
    }
    let missing = open.values.reduce(0, +)
    lost += missing
    // The same lines, but not equal: they arrived in another order.
    if inOrder, missing == 0, written.count == got.count { bad += 1 }
  }
}
