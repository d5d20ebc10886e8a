import Foundation
import JSONLines
import Platform
import TestSupport
import Testing

@testable import History

@Suite("Reading whole lines of ranges")
struct WholeLinesTests {
  /// Where the samples of some ranges begin, and the bytes of their lines as the pieces show them.
  private func read(_ bytes: MemoryBytes, _ ranges: [Range<UInt64>]) throws -> [(UInt64, String)] {
    var found: [(UInt64, String)] = []
    for range in ranges {
      var lines = WholeLines(of: bytes, in: range)
      try lines.forEach { batch, _, chunk, offset in
        for sample in batch.samples {
          let line = chunk[Int(sample.offset - offset)...].prefix { $0 != 0x0A }
          found.append((sample.offset, String(decoding: line, as: UTF8.self)))
        }
      }
    }
    return found
  }

  @Test func `However a file is cut into ranges, each line is read once and whole`() throws {
    var maker = HistoryMaker(seed: 9)
    maker.fill(.shuffled, count: 300)
    let text = maker.text.replacingOccurrences(of: "no sample", with: String(repeating: "x", count: 3000))
    for end in ["", "\n", "\n\n"] {
      let bytes = MemoryBytes(String(text.dropLast()) + end)
      let size = bytes.status.size
      let whole = try read(bytes, [0..<UInt64.max])
      let lines: [String] = text.split(separator: "\n").map(String.init)
      #expect(whole.map(\.1) == lines.filter { !$0.hasPrefix("x") })
      var generator = SeededGenerator(seed: 5)
      for _ in 0..<20 {
        let count = Int.random(in: 1...8, using: &generator)
        let cuts = (0..<count).map { _ in UInt64.random(in: 0...size, using: &generator) }
        let edges = ([0, size] + cuts).sorted()
        let ranges = zip(edges, edges.dropFirst()).map { $0..<$1 }
        let found = try read(bytes, ranges)
        #expect(found.map(\.0) == whole.map(\.0) && found.map(\.1) == whole.map(\.1))
      }
    }
  }

  @Test func `Every cut near a line's end leaves each line to one side`() throws {
    let line = ExportRun.line("1")
    let bytes = MemoryBytes(line + line + line)
    let (count, size) = (UInt64(line.utf8.count), UInt64(3 * line.utf8.count))
    for cut in 0...size {
      let first = try read(bytes, [0..<cut]).count
      #expect(first == Int((cut + count - 1) / count), "\(cut)")
      #expect(try read(bytes, [cut..<size]).count == 3 - first, "\(cut)")
    }
  }
}
