@testable import History

/// Checks of what is kept of a history: whatever the bytes are, they give an index or a fault.
enum IndexChecks {
  /// A whole index with all its slots; the hashes of its parts keep most of the damage out.
  static func index(_ input: UnsafeRawBufferPointer) -> String? {
    guard let index = try? IndexFile.index(in: MemoryBytes(Array(input))) else { return nil }
    for level in index.levels {
      for place in level.rows.indices { _ = try? level.row(place).forEach(withHistogram: true) { _, _ in } }
    }
    return index.linesBefore.count == index.blocks.count ? nil : "not every block has a place"
  }

  /// One slot, which no hash protects here: what is read comes back the same once it is written again.
  static func slot(_ input: UnsafeRawBufferPointer) -> String? {
    guard let row = try? PackedRow(Array(input)[...]) else { return nil }
    var cells: [(series: Int32, cell: IndexCell)] = []
    guard (try? row.forEach(withHistogram: true, { cells.append(($0, $1)) })) != nil else { return nil }
    let packed = PackedRow.pack(blocks: row.blocks.sorted(), cells: cells.sorted { $0.series < $1.series })
    guard let again = try? PackedRow(packed[...]) else { return "the slot cannot be read again" }
    for (series, cell) in cells {
      guard let found = try? again.cell(of: series), found.count == cell.count else {
        return "a cell changed"
      }
    }
    return nil
  }
}
