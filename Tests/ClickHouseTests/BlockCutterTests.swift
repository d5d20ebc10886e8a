import JSONLines
import Platform
import TestSupport
import Testing

@testable import ClickHouse

@Suite("Blocks of rows")
struct BlockCutterTests {
  private static let day = 86_400.0

  /// Samples at some times, in seconds since 2001.
  private static func rows(_ times: [Double], values: [String] = ["MQ=="]) -> [SampleRow?] {
    var (scanner, batch) = (SampleScanner(), SampleBatch())
    for (index, time) in times.enumerated() {
      let text =
        #"{"metric":{"bucket":"b","name":"n","valueTypeString":"Double"},"timestamp":\#(time),"value":"\#(values[index % values.count])"}"#
        + "\n"
      Array(text.utf8).withUnsafeBytes { scanner.scan($0, into: &batch) }
    }
    return batch.samples.map { SampleRow($0, of: scanner.catalogue[$0.metric], batch.payload(of: $0)) }
  }

  private static func blocks(_ rows: [SampleRow?], numbers: [(stream: UInt64, number: UInt64)]) -> [Block] {
    var cutter = BlockCutter(host: "h")
    var blocks: [Block] = []
    for (row, place) in zip(rows, numbers) {
      guard let row else { continue }
      if let block = cutter.append(row, stream: place.stream, number: place.number) { blocks.append(block) }
    }
    return blocks + [cutter.cut()].compactMap { $0 }
  }

  @Test func `A block has consecutive rows of one stream and one day`() {
    let rows = Self.rows([0, 1, Self.day, 2, 3, 4, 5])
    let blocks = Self.blocks(rows, numbers: [(7, 5), (7, 6), (7, 7), (7, 8), (7, 9), (7, 11), (8, 12)])
    #expect(blocks.map(\.rows) == [5..<7, 7..<8, 8..<10, 11..<12, 12..<13])
    #expect(blocks.map(\.stream) == [7, 7, 7, 7, 8])
    #expect(blocks.map(\.identifier).first == "ship-7-5-7")
    #expect(blocks[0].times == 978_307_200_000_000_000...978_307_201_000_000_000)
  }

  @Test func `The same rows are the same block`() {
    let rows = Self.rows(
      [1, 2, 3], values: ["MQ==", "eyJhIjoxLCJiIjoieCIsImMiOnRydWUsImQiOm51bGx9", "InQi"])
    let numbers: [(UInt64, UInt64)] = [(1, 0), (1, 1), (1, 2)]
    #expect(
      Self.blocks(rows, numbers: numbers).map(\.bytes) == Self.blocks(rows, numbers: numbers).map(\.bytes))
  }

  @Test func `A row is what ClickHouse reads`() throws {
    let block = try #require(
      Self.blocks(Self.rows([0.25], values: ["eyJhIjoyLCJiIjoieCJ9"]), numbers: [(3, 4)]).first)
    var expected: [UInt8] = [1, 0x62, 1, 0x6E, 6] + "Double".utf8 + [1, 0x68]
    let word = { (value: UInt64) in (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    expected += word(978_307_200_250_000_000) + [SampleKind.object.rawValue]
    expected += [1, 1, 0x61, 1] + word((2.0 as Double).bitPattern) + [1, 1, 0x62, 1, 1, 0x78]
    expected += [15] + #"{"a":2,"b":"x"}"#.utf8 + word(3) + word(4)
    #expect(block.bytes == expected)
  }

  @Test func `A time that the server cannot represent is no row`() {
    #expect(
      Self.rows([-2e9, 1e12, 5, 3_316_660_096, 3_316_660_095]).map { $0 != nil } == [
        false, false, true, false, true,
      ])
  }

  @Test(arguments: 0..<2000)
  func `Times come back exactly`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    // From 2018 to 2035.
    let time = Double.random(in: 536_000_000...1_072_000_000, using: &random)
    let nanoseconds = try #require(SampleRow.nanoseconds(Timestamp(time)))
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    #expect(Double(seconds - SampleRow.epoch) + Double(rest) / 1e9 == time)
    let written = (time * 1e6).rounded() / 1e6
    #expect(try #require(SampleRow.nanoseconds(Timestamp(written))) % 1000 == 0)
  }
}
