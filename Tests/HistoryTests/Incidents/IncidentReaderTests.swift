import Aggregation
import Foundation
import History
import Platform
import TestSupport
import Testing

@Suite("Incidents of files")
struct IncidentReaderTests {
  private static let start = 800_000_000.0
  private static let distant = Timestamp(.infinity)

  private static func lines(seed: UInt64 = 3) -> [String] {
    PlantedIncidents(seed: seed, length: 1200).lines(from: start)
  }

  private static func reader() -> IncidentReader { IncidentReader { _ in [.values, .silences] } }

  private static func file(_ path: String) throws -> HistoryFile {
    HistoryFile(name: path, path: path, bytes: try OpenFile(path: path))
  }

  /// The entries found by a reader that sees all files at once.
  private static func entries(_ paths: [String]) throws -> [IncidentLog.Entry] {
    let (reader, files) = (reader(), try paths.map(file))
    while try reader.advance(files, until: Self.distant) {}
    return reader.entries
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("what is planted is found, with its times and values")
  func found() throws {
    let planted = PlantedIncidents(seed: 3, length: 1200)
    let path = try folder.write(planted.lines(from: Self.start).joined(), to: "app.jsonl")
    let entries = try Self.entries([path])
    let plant = try #require(planted.plants.first { $0.kind == .peak || $0.kind == .step })
    let own = try #require(entries.first { $0.series.name == "metric\(plant.metric)" })
    #expect(own.series.bucket == "app" && own.incident.kind == .above)
    #expect(abs(own.incident.start - Self.start - plant.onset) <= 1.05 * plant.interval)
    #expect(own.incident.peak > own.incident.usual && own.incident.peakTime >= own.incident.start)
  }

  @Test("payloads, which cover days that are over, have none")
  func payloads() throws {
    let lines = PlantedIncidents(seed: 3, length: 1200).lines(from: Self.start).map {
      $0.replacing("\"app\"", with: "\"payload\"")
        .replacing("valueTypeString\":\"", with: "valueTypeString\":\"Payload")
    }
    #expect(lines[0].contains("\"payload\"") && lines[0].contains("\"Payload"))
    #expect(try Self.entries([try folder.write(lines.joined(), to: "payloads.jsonl")]).isEmpty)
  }

  @Test("of large files the newest part alone is read: its incidents are those of a file that begins there")
  func newest() throws {
    let lines = Self.lines()
    let (older, newer) = (lines[..<(lines.count / 5)].joined(), lines[(lines.count / 5)...].joined())
    let files = [
      try Self.file(try folder.write(older, to: "app.jsonl.1")),
      try Self.file(try folder.write(newer, to: "app.jsonl")),
    ]
    let reader = IncidentReader(newest: UInt64(newer.utf8.count)) { _ in [.values, .silences] }
    while try reader.advance(files, until: Self.distant) {}
    #expect(!reader.entries.isEmpty && !reader.pauses.isEmpty)
    #expect(reader.entries == (try Self.entries([try folder.write(newer, to: "newer.jsonl")])))
  }

  @Test(
    "a file that is followed has the incidents of one that is read at once", arguments: [1, 2, 3] as [UInt64])
  func followed(seed: UInt64) throws {
    let lines = Self.lines(seed: seed)
    let text = Array(lines.joined().utf8)
    let whole = try Self.entries([try folder.write(lines.joined(), to: "whole.jsonl")])
    let path = try folder.write("", to: "app.jsonl")
    let handle = try #require(FileHandle(forWritingAtPath: path))
    let (reader, file) = (Self.reader(), try Self.file(path))
    var random = SeededGenerator(seed: seed)
    var written = 0
    while written < text.count {
      // Cut anywhere, in the middle of a line too.
      let next = min(text.count, written + Int.random(in: 1...200_000, using: &random))
      try handle.write(contentsOf: text[written..<next])
      written = next
      _ = file.refresh()
      while try reader.advance([file], until: Self.distant) {}
    }
    #expect(!whole.isEmpty && reader.entries == whole)
  }

  private func line(_ name: String, _ time: Double) -> String {
    let metric = #"{"bucket":"s","name":"\#(name)","valueTypeString":"Double"}"#
    return #"{"metric":\#(metric),"timestamp":\#(Self.start + time),"value":"MQ=="}"# + "\n"
  }

  @Test("the silences of a file whose writer's clock is ahead are found once the clock is there")
  func constantSkew() throws {
    let path = try folder.write("", to: "app.jsonl")
    let handle = try #require(FileHandle(forWritingAtPath: path))
    let (reader, file) = (Self.reader(), try Self.file(path))
    let skew = 30.0
    for second in 0..<460 {
      let text = line("a", Double(second) + skew) + (second < 300 ? line("b", Double(second) + skew) : "")
      try handle.write(contentsOf: Data(text.utf8))
      _ = file.refresh()
      while try reader.advance([file], until: Timestamp(Self.start + Double(second) + 5)) {}
      if second < 320 { #expect(reader.entries.isEmpty, "\(second)") }
    }
    #expect(reader.entries.map(\.series.name) == ["b"])
    let silence = try #require(reader.entries.first).incident
    #expect(abs(silence.start - (Self.start + 299 + skew + 1)) < 0.1)
  }

  @Test("a file that is followed has no silences up to samples ahead of the clock")
  func ahead() throws {
    let before = (0..<300).map { line("a", Double($0)) + line("b", Double($0) + 0.5) }
    let path = try folder.write(before.joined() + line("c", 7500), to: "app.jsonl")
    let handle = try #require(FileHandle(forWritingAtPath: path))
    let (reader, file) = (Self.reader(), try Self.file(path))
    while try reader.advance([file], until: Timestamp(Self.start + 305)) {}
    #expect(reader.entries.isEmpty)
    // While time goes on one of the two stays away.
    try handle.seekToEnd()
    try handle.write(contentsOf: Data((300..<400).map { line("a", Double($0)) }.joined().utf8))
    _ = file.refresh()
    while try reader.advance([file], until: Timestamp(Self.start + 405)) {}
    #expect(reader.entries.map(\.series.name) == ["b"])
    #expect(reader.entries.map(\.incident.peak) == [99.5])
  }

  @Test("thousands of other metrics, whose names are forgotten on the way, change nothing")
  func manyMetrics() throws {
    let lines = Self.lines()
    let name = #/metric[0-9]+/#
    let mixed = lines.indices.map { index in
      index % 4 == 0 && index < 18_000
        ? lines[index].replacing(name, with: "once\(index)") + lines[index] : lines[index]
    }
    let whole = try Self.entries([try folder.write(lines.joined(), to: "whole.jsonl")])
    let found = try Self.entries([try folder.write(mixed.joined(), to: "mixed.jsonl")])
    #expect(found.count == whole.count && found.map(\.series) == whole.map(\.series))
    #expect(found.map(\.incident.start) == whole.map(\.incident.start))
  }

  @Test("a file that was rotated on the way has the incidents of one that was not")
  func rotated() throws {
    let lines = Self.lines()
    let whole = try Self.entries([try folder.write(lines.joined(), to: "whole.jsonl")])
    let half = lines.count / 2
    let path = try folder.write(lines[..<half].joined(), to: "app.jsonl")
    let reader = Self.reader()
    while try reader.advance([try Self.file(path)], until: Self.distant) {}
    try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
    _ = try folder.write(lines[half...].joined(), to: "app.jsonl")
    let files = [try Self.file(path + ".1"), try Self.file(path)]
    while try reader.advance(files, until: Self.distant) {}
    #expect(reader.entries == whole)
    #expect(try Self.entries([path + ".1", path]) == whole)
  }

  @Test("a file that was cut or replaced is read from its start")
  func replaced() throws {
    let (first, second) = (Self.lines(seed: 3), Self.lines(seed: 4))
    let path = try folder.write(first.joined(), to: "app.jsonl")
    let reader = Self.reader()
    while try reader.advance([try Self.file(path)], until: Self.distant) {}
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: Data(second.prefix(second.count / 2).joined().utf8))
    while try reader.advance([try Self.file(path)], until: Self.distant) {}
    #expect(try reader.entries == Self.entries([path]))
    try FileManager.default.removeItem(atPath: path)
    _ = try folder.write(second.joined(), to: "app.jsonl")
    while try reader.advance([try Self.file(path)], until: Self.distant) {}
    #expect(try reader.entries == Self.entries([path]))
  }

  @Test("two files with the same metrics are watched apart")
  func apart() throws {
    let a = try folder.write(Self.lines(seed: 1).joined(), to: "a.jsonl")
    let b = try folder.write(Self.lines(seed: 2).joined(), to: "b.jsonl")
    let both = try Self.entries([a, b])
    #expect(both.count == (try Self.entries([a]).count + Self.entries([b]).count))
  }
}
