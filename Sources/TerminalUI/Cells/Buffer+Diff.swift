/// Adjacent cells in one row that changed.
package struct CellRun: Hashable, Sendable {
  package var x: Int
  package var y: Int
  package var count: Int

  package init(x: Int, y: Int, count: Int) {
    self.x = x
    self.y = y
    self.count = count
  }

  /// The part of its columns that fits a screen of another size: the screen may have shrunk since the buffer was made.
  package func columns(within size: Size) -> Range<Int> {
    y < size.height ? x..<max(x, min(x + count, size.width)) : x..<x
  }
}

extension Buffer {
  /// The runs of cells to write in order to turn another buffer into this one.
  ///
  /// A run never starts or ends inside a wide cell. Buffers of different sizes differ everywhere.
  package func diff(from old: Buffer) -> [CellRun] {
    guard old.size == size else {
      guard size.width > 0 else { return [] }
      return (0..<size.height).map { CellRun(x: 0, y: $0, count: size.width) }
    }
    var runs: [CellRun] = []
    cells.withUnsafeBufferPointer { new in
      old.cells.withUnsafeBufferPointer { old in
        for y in 0..<size.height { appendRuns(of: y, new: new, old: old, to: &runs) }
      }
    }
    return runs
  }

  private func appendRuns(
    of y: Int, new: UnsafeBufferPointer<Cell>, old: UnsafeBufferPointer<Cell>, to runs: inout [CellRun]
  ) {
    let row = y * size.width
    var x = 0
    while x < size.width {
      guard new[row + x] != old[row + x] else {
        x += 1
        continue
      }
      var start = x
      if new[row + start].isContinuation, start > 0 { start -= 1 }
      x += 1
      while x < size.width, new[row + x] != old[row + x] || new[row + x].isContinuation { x += 1 }
      runs.append(CellRun(x: start, y: y, count: x - start))
    }
  }
}
