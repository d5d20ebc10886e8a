import Aggregation
import Foundation
import History
import JSONLines
import MisterMetricsCore
import Platform
import TestSupport

/// A file in memory; its reads are counted, and it can be cut, changed and made to grow.
final class MemoryBytes: HistoryBytes {
  struct Content: Sendable {
    var bytes: [UInt8]
    var modified: Int64 = 1
    var read = 0
  }

  let content: Locked<Content>

  init(_ bytes: [UInt8]) { content = Locked(Content(bytes: bytes)) }

  convenience init(_ text: String) { self.init(Array(text.utf8)) }

  var status: FileStatus {
    content.withLock { content in
      FileStatus(
        kind: .regular, identity: FileIdentity(device: 1, inode: 7), size: UInt64(content.bytes.count),
        modified: content.modified)
    }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) -> Int {
    content.withLock { content in
      guard offset < UInt64(content.bytes.count) else { return 0 }
      let part = content.bytes[Int(offset)...].prefix(buffer.count)
      buffer.copyBytes(from: part)
      content.read += part.count
      return part.count
    }
  }

  func change(_ body: (inout [UInt8]) -> Void) {
    content.withLock { content in
      body(&content.bytes)
      content.modified += 1
    }
  }

  /// Bytes read since the last time.
  func takeRead() -> Int {
    content.withLock { content in
      defer { content.read = 0 }
      return content.read
    }
  }
}

/// One sample as it was put into a file.
struct PlainSample: Equatable {
  let identity: SeriesIdentity
  let time: Timestamp
  let value: SeriesValue
  let line: Int
}

/// Makes files and knows what is in them.
struct HistoryMaker {
  var generator: SeededGenerator
  private(set) var text = ""
  private(set) var samples: [PlainSample] = []
  private(set) var lines = 0

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  private static func line(_ name: String, _ type: String, _ time: Double, _ json: String) -> String {
    let value = Data(json.utf8).base64EncodedString()
    return
      #"{"metric":{"bucket":"b","name":"\#(name)","valueTypeString":"\#(type)"},"timestamp":\#(time),"value":"\#(value)"}"#
      + "\n"
  }

  static func identity(_ name: String, _ type: String, field: String? = nil) -> SeriesIdentity {
    SeriesIdentity(bucket: "b", name: name, typeName: type, field: field)
  }

  mutating func add(number: Double, to name: String = "n", at time: Double) {
    append(Self.line(name, "Double", time, "\(number)"))
    note(Self.identity(name, "Double"), time, .number(number))
  }

  mutating func add(claim: Bool, at time: Double) {
    append(Self.line("claim", "Bool", time, "\(claim)"))
    note(Self.identity("claim", "Bool"), time, .bool(claim))
  }

  mutating func add(word: String, at time: Double) {
    append(Self.line("word", "String", time, "\"\(word)\""))
    note(Self.identity("word", "String"), time, .text(word))
  }

  mutating func add(outcome: String, milliseconds: Double, at time: Double) {
    append(Self.line("push", "Push", time, #"{"ms":\#(milliseconds),"outcome":"\#(outcome)"}"#))
    note(Self.identity("push", "Push", field: "ms"), time, .number(milliseconds))
    note(Self.identity("push", "Push", field: "outcome"), time, .text(outcome))
  }

  mutating func addGarbage() { append("no sample\n") }

  private mutating func append(_ line: String) {
    text += line
    lines += 1
  }

  private mutating func note(_ identity: SeriesIdentity, _ time: Double, _ value: SeriesValue) {
    samples.append(PlainSample(identity: identity, time: Timestamp(time), value: value, line: lines))
  }

  /// A random sample at a time.
  mutating func addAny(at time: Double) {
    switch Int.random(in: 0..<9, using: &generator) {
    case 0: add(claim: Bool.random(using: &generator), at: time)
    case 1: add(word: ["a", "b", "c"][Int.random(in: 0..<3, using: &generator)], at: time)
    case 2:
      add(
        outcome: Bool.random(using: &generator) ? "ok" : "fail",
        milliseconds: Double.random(in: 1...500, using: &generator), at: time)
    case 3: addGarbage()
    default:
      add(
        number: Double.random(in: -10...1000, using: &generator),
        to: "n\(Int.random(in: 0..<3, using: &generator))", at: time)
    }
  }

  /// A file whose times go wrong in one of many ways.
  mutating func fill(_ disorder: Disorder, count: Int) {
    var time = 800_000_000.0
    for number in 0..<count {
      switch disorder {
      case .none: time += Double.random(in: 0...2, using: &generator)
      case .shuffled: time = 800_000_000 + Double.random(in: 0...1000, using: &generator)
      case .interleaved: time = (number % 2 == 0 ? 800_000_000 : 700_000_000) + Double(number)
      case .equal: break
      case .jumps:
        time += 1
        if number % 97 == 0 { time += Double.random(in: -3e8...3e8, using: &generator) }
      case .fine: time += Double.random(in: 0...0.002, using: &generator)
      }
      addAny(at: time)
    }
  }

  enum Disorder: CaseIterable { case none, shuffled, interleaved, equal, jumps, fine }
}

extension IndexMaintainer {
  /// A history of files in memory, indexed.
  static func indexed(
    _ files: [MemoryBytes], blockSize: Int = 4096, cache: IndexCache? = nil, workers: Int = 2
  ) throws -> IndexMaintainer {
    let maintainer = of(files, blockSize: blockSize, cache: cache, workers: workers)
    _ = maintainer.refresh()
    try maintainer.index { _, _ in true }
    return maintainer
  }

  static func of(
    _ files: [MemoryBytes], blockSize: Int = 4096, cache: IndexCache? = nil, workers: Int = 2
  ) -> IndexMaintainer {
    IndexMaintainer(
      paths: files.indices.map { "no-such-folder/\($0)" }, cache: cache, workers: workers,
      blockSize: blockSize,
      looseLimit: 0, countsHalfLine: true,
      open: { name in files[Int(name.path.split(separator: "/")[1]) ?? 0] })
  }
}
