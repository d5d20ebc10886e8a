import Foundation
import JSONLines
import TestSupport
import Testing

extension FaultMatrix {
  @Test func `T9: whatever bytes a file holds, the bad lines are counted and the good ones read`()
    async throws
  {
    try await Self.row("T9") { run in
      for file in StrangeFile.all {
        for setup in TailSetup.allCases { try file.check(setup, seed: run.seed, tally: &run.tally) }
        run.add(rounds: 1)
      }
      run.note = "\(StrangeFile.all.count) files, at once and in parts of random length"
    }
  }
}

/// The content of a file, and what is to become of it.
private struct StrangeFile {
  let bytes: [UInt8]
  /// The numbers that its good lines hold.
  let good: [Int]
  /// Lines that have to be rejected; `nil` if that is left open.
  let bad: Int?

  private static func line(_ number: Int) -> [UInt8] { Array(TailProcess.line(number).utf8) }
  private static let utf8Mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Strange bytes as a line, alone and inside a name, each with good lines around them.
  private static func around(_ strange: [UInt8]) -> StrangeFile {
    let named =
      Array("{\"metric\":{\"name\":\"".utf8) + strange
      + Array("\",\"valueTypeString\":\"Text\"},\"timestamp\":1,\"value\":\"IngiCg==\"}\n".utf8)
    return StrangeFile(
      bytes: line(1) + strange + [10] + line(2) + named + line(3), good: [1, 2, 3], bad: nil)
  }

  static let all: [StrangeFile] = {
    let crlf = Array(line(1).dropLast()) + [13, 10]
    let noise = (0..<4000).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31 >> 3) }.filter { $0 != 10 }
    var files = [
      StrangeFile(bytes: crlf + crlf + line(2), good: [1, 1, 2], bad: 0),
      StrangeFile(bytes: line(1).dropLast() + [13] + line(2) + line(3), good: [1, 2, 3], bad: 0),
      StrangeFile(bytes: utf8Mark + line(1) + line(2), good: [1, 2], bad: 0),
      StrangeFile(
        bytes: [0, 0, 0] + line(1) + [UInt8](repeating: 0, count: 10_000) + line(2), good: [1, 2], bad: 0),
      StrangeFile(bytes: line(1) + [10, 10, 13, 10, 32, 9, 10] + line(2), good: [1, 2], bad: 0),
      StrangeFile(bytes: line(1) + line(2).dropLast(), good: [1], bad: 0),
      StrangeFile(bytes: line(1) + noise + [10] + line(2), good: [1, 2], bad: 1),
      StrangeFile(bytes: [0xFF, 0xFE] + line(1).flatMap { [$0, 0] } + [10] + line(2), good: [2], bad: nil),
      StrangeFile(bytes: [0xFE, 0xFF] + line(1).flatMap { [0, $0] } + line(2), good: [2], bad: nil),
      StrangeFile(bytes: [], good: [], bad: 0),
    ]
    for byte in UInt8.min...UInt8.max where byte != 10 { files.append(around([byte])) }
    // Overlong, surrogates, beyond the last code point, cut.
    for strange: [UInt8] in [
      [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xF0, 0x80, 0x80, 0x80], [0xED, 0xA0, 0x80],
      [0xED, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xE2, 0x82],
      [0xF0, 0x9F, 0x98],
    ] { files.append(around(strange)) }
    return files
  }()

  func check(_ setup: TailSetup, seed: UInt64, tally: inout MatrixRun.Tally) throws {
    var random = SeededGenerator(seed: seed)
    let tail = try RealTail(setup.watching)
    var scanner = SampleScanner()
    var batch = SampleBatch()
    tail.tap = { output in
      switch output {
      case .bytes(let bytes, _): scanner.scan(bytes, into: &batch)
      case .restarted(let restart): scanner.restart(offset: restart.offset, line: 1)
      case .gap, .state, .earlier, .polled: break
      }
    }
    if setup.readsFirst { tail.start() }
    let writer = open(tail.path, O_WRONLY | O_APPEND | O_CREAT, 0o644)
    defer { close(writer) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = rest.prefix(setup.readsFirst ? 1 + Int(random.next() % 300) : rest.count)
      tail.put(Array(part), on: writer)
      rest = rest.dropFirst(part.count)
      if setup.readsFirst { tail.settle() }
    }
    if !setup.readsFirst { tail.start() }
    let numbers = batch.samples.filter { $0.kind == .number && scanner.catalogue[$0.metric].name == "number" }
    tally.compare(written: good.map { "\($0)" }, got: numbers.map { "\(Int($0.value))" })
    let rejected = scanner.rejections.total
    // No line goes without an account; one line may have several records.
    if scanner.lines > batch.samples.count + rejected + scanner.blankLines { tally.bad += 1 }
    if let bad, bad != rejected { tally.bad += 1 }
  }
}
