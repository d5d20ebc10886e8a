/// One packed time slot of the index: the blocks with samples in it, and a cell for each series that has any.
struct PackedRow: Sendable {
  /// Numbers of the blocks with samples in the slot, ascending; empty above the lowest level.
  let blocks: [Int]
  private let series: [Int32]
  private let ends: [Int]
  private let cells: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) throws(IndexFault) {
    var reader = PackedReader(bytes)
    var blocks: [Int] = []
    var block = 0
    for _ in 0..<(try reader.count(atMost: reader.left)) {
      block &+= try reader.count(atMost: 1 << 40)
      blocks.append(block)
    }
    var (series, ends): ([Int32], [Int]) = ([], [])
    var (number, end) = (0, 0)
    let count = try reader.count(atMost: reader.left)
    series.reserveCapacity(count)
    ends.reserveCapacity(count)
    for _ in 0..<count {
      let step = try reader.count(atMost: SeriesTable.limit)
      // A series has at most one cell.
      guard series.isEmpty || step > 0 else { throw .damaged }
      number &+= step
      end &+= try reader.count(atMost: bytes.count)
      guard let id = Int32(exactly: number) else { throw .damaged }
      series.append(id)
      ends.append(end)
    }
    guard end == reader.left else { throw .damaged }
    (self.blocks, self.series, self.ends) = (blocks, series, ends)
    cells = try reader.raw(count: end)
  }

  /// Packs a row.
  static func pack(blocks: [Int], cells: [(series: Int32, cell: IndexCell)]) -> [UInt8] {
    var (head, body) = (PackedWriter(), PackedWriter())
    head.write(count: blocks.count)
    var last = 0
    for block in blocks {
      head.write(count: block - last)
      last = block
    }
    head.write(count: cells.count)
    var (number, end) = (0, 0)
    for (series, cell) in cells {
      cell.write(to: &body)
      head.write(count: Int(series) - number)
      head.write(count: body.bytes.count - end)
      (number, end) = (Int(series), body.bytes.count)
    }
    head.write(raw: body.bytes)
    return head.bytes
  }

  /// The cell of a series; `nil` if it has no sample in the slot.
  func cell(of wanted: Int32) throws(IndexFault) -> IndexCell? {
    var (low, high) = (0, series.count)
    while low < high {
      let middle = (low + high) / 2
      if series[middle] < wanted { low = middle + 1 } else { high = middle }
    }
    guard low < series.count, series[low] == wanted else { return nil }
    return try cell(at: low, withHistogram: true)
  }

  private func cell(at place: Int, withHistogram: Bool) throws(IndexFault) -> IndexCell {
    let start = cells.startIndex + (place == 0 ? 0 : ends[place - 1])
    let end = cells.startIndex + ends[place]
    guard start <= end, end <= cells.endIndex else { throw .damaged }
    var reader = PackedReader(cells[start..<end])
    return try IndexCell(&reader, withHistogram: withHistogram)
  }

  /// Calls `body` with each cell, in ascending order of series.
  func forEach(withHistogram: Bool, _ body: (Int32, IndexCell) throws(IndexFault) -> Void) throws(IndexFault)
  {
    for place in series.indices {
      try body(series[place], try cell(at: place, withHistogram: withHistogram))
    }
  }
}
