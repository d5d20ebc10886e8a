import Foundation
import JSONLines
import TestSupport
import Testing

extension FaultMatrix {
  @Test func `T1: a partial line is shown once it is whole, unchanged, and not before`() async throws {
    try await Self.row("T1") { run in
      var random = SeededGenerator(seed: run.seed)
      for setup in TailSetup.allCases {
        for number in 0..<200 {
          let line = PartialLine(number: number, random: &random)
          run.add(rounds: try setup.readsFirst ? watch(line, setup, &run) : find(line, setup, &run))
        }
      }
      run.note = "200 lines of 20 to 4200 bytes, UTF-8 and CR LF among them"
    }
  }
}

/// One tail sees every cut of the line: its bytes come one at a time, or in two parts.
private func watch(_ line: PartialLine, _ setup: TailSetup, _ run: inout MatrixRun) throws -> Int {
  let tail = try setup.begin(lines: 1)
  let writer = open(tail.path, O_WRONLY | O_APPEND)
  defer { close(writer) }
  var written = tail.lines
  for cut in line.cuts {
    tail.put(Array(line.bytes[..<cut]), on: writer)
    tail.settle()
    if tail.lines != written { run.tally.bad += 1 }
    tail.put(Array(line.bytes[cut...]), on: writer)
    tail.settle()
    written.append(line.text)
  }
  guard line.bytes.count < 200 else {
    run.tally.compare(written: written, got: tail.lines)
    return line.cuts.count
  }
  for byte in line.bytes {
    if tail.lines.count != written.count { run.tally.bad += 1 }
    tail.put([byte], on: writer)
    tail.settle()
  }
  written.append(line.text)
  run.tally.compare(written: written, got: tail.lines)
  return line.cuts.count
}

/// The reader comes while the line is partial.
private func find(_ line: PartialLine, _ setup: TailSetup, _ run: inout MatrixRun) throws -> Int {
  // A tail of its own costs more than a look: a part of the cuts, other ones for each line.
  let cuts = line.cuts.count <= 3 ? line.cuts : line.cuts.filter { $0 % 16 == line.number % 16 }
  for cut in cuts {
    let tail = try RealTail(setup.watching)
    tail.write(1)
    let writer = open(tail.path, O_WRONLY | O_APPEND)
    defer { close(writer) }
    tail.put(Array(line.bytes[..<cut]), on: writer)
    tail.start()
    if tail.lines != tail.written { run.tally.bad += 1 }
    tail.put(Array(line.bytes[cut...]), on: writer)
    tail.settle()
    run.tally.compare(written: tail.written + [line.text], got: tail.lines)
  }
  return cuts.count
}

/// A line and the places where it is cut.
private struct PartialLine {
  let number: Int
  /// Its newline included.
  let bytes: [UInt8]
  /// Without its newline; a carriage return belongs to it.
  let text: String
  let cuts: [Int]

  init(number: Int, random: inout SeededGenerator) {
    let isLong = number % 10 == 9
    // Sequences that a cut may go through: two, three and four bytes of one sign, joined signs, escapes.
    let signs = ["ü", "€", "😀", "👩‍👩‍👧", "\\u00e9", "\\\\", "a"]
    var name = ""
    for _ in 0..<(3 + number % 6) { name += signs[Int(random.next() % UInt64(signs.count))] }
    if isLong { name += String(repeating: "x", count: 4100 + Int(random.next() % 100)) }
    let text =
      "{\"name\":\"\(name)\",\"n\":\(number)}"
      + (number % 3 == 0 ? "\r" : "")
    self.number = number
    self.text = text
    bytes = Array((text + "\n").utf8)
    cuts = isLong ? [4095, 4096, 4097] : Array(1..<bytes.count)
  }
}
