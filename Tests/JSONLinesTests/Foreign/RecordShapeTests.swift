import Testing

@testable import JSONLines

/// Lines with several records, or with the brackets and commas of an array.
@Suite("Shapes of records")
struct RecordShapeTests {
  private static func record(_ number: Int) -> String {
    #"{"level":30,"time":179545410\#(number)000,"msg":"m {","n":\#(number)}"#
  }
  private static func sample(_ number: Int, at offset: Int) -> String {
    #"pino (pino log) @\#(offset) \#(817_146_900 + number).0 {"level":"info","msg":"m {","n":\#(number)}"#
  }
  private static let length = record(0).utf8.count

  /// Texts of three records, with the offsets of their samples.
  static let texts: [(name: String, text: String, offsets: [Int])] = [
    ("lines", "\(record(0))\n\(record(1))\n\(record(2))\n", [0, length + 1, 2 * length + 2]),
    ("one behind the other", record(0) + record(1) + record(2) + "\n", [0, length, 2 * length]),
    ("with a blank", "\(record(0)) \(record(1))\n\(record(2))", [0, length + 1, 2 * length + 2]),
    (
      "a comma behind each", "\(record(0)),\n\(record(1)) , \r\n\(record(2)),",
      [0, length + 2, 2 * length + 7]
    ),
    ("an array", "[\n\(record(0)),\n\(record(1)),\n\(record(2))\n]\n", [2, length + 4, 2 * length + 6]),
    ("an open array", "[\(record(0)),\n\(record(1)),\n  \(record(2)),\n", [0, length + 3, 2 * length + 5]),
    ("commas first", "[ \(record(0))\n, \(record(1))\n, \(record(2))\n]", [0, length + 3, 2 * length + 6]),
    ("an array in a line", "[\(record(0)),\(record(1)),\(record(2))]\n", [1, length + 2, 2 * length + 3]),
    (
      "a text sequence", "\u{1E}\(record(0))\n\u{1E}\(record(1))\n\u{1E}\(record(2))\n",
      [0, length + 2, 2 * length + 4]
    ),
    (
      "arrays of batches", "[\(record(0)),\(record(1))]\n[\(record(2))]\n[]\n",
      [1, length + 2, 2 * length + 4]
    ),
    (
      "a byte order mark", "\u{FEFF}[\(record(0)),\n\(record(1)),\n\(record(2))]\n",
      [0, length + 6, 2 * length + 8]
    ),
    (
      "a byte order mark, one line", "\u{FEFF}\(record(0))\(record(1))\(record(2))\n",
      [3, length + 3, 2 * length + 3]
    ),
  ]

  @Test("Records are read however they are separated, and however the file is cut", arguments: texts)
  func shapes(name: String, text: String, offsets: [Int]) throws {
    let whole = try ForeignReading(text)
    #expect(whole.samples == offsets.enumerated().map { Self.sample($0, at: $1) }, "\(name)")
    #expect(whole.rejections == [])
    for chunk in [1, 7, 64] { #expect(try ForeignReading(text, chunk: chunk) == whole) }
    let mapped = try ForeignReading(text, map: "time=time,value=n")
    #expect(mapped.samples.count == 3 && mapped.rejections == [])
  }

  @Test("A record that cannot be read costs only itself")
  func faults() throws {
    let (one, two) = (Self.record(0), Self.record(1))
    #expect(try ForeignReading("\(one){\"a\":1}\(two)\n").rejections == ["\(Self.length) noMetric"])
    let torn = try ForeignReading("\(one){\"level\":30,\n\(two)\n")
    #expect(torn.samples.count == 2 && torn.rejections == ["\(Self.length) notJSON"])
    let isolated = try ForeignReading("\(one),{\"level\":30,\"time\":tru,\"msg\":\"\"},\(two)\n")
    #expect(isolated.samples.count == 2 && isolated.rejections == ["\(Self.length + 1) notJSON"])
    #expect(try ForeignReading("[1,2]\nGET {\"a\":1}\n[x] {}\n").rejections.count == 3)
  }

  @Test("A file of which no record is read is unreadable, brackets or not")
  func unreadable() {
    func isUnreadable(_ text: String) -> Bool {
      var (scanner, batch) = (SampleScanner(), SampleBatch())
      Array(text.utf8).withUnsafeBytes { scanner.scan($0, into: &batch) }
      return scanner.isUnreadable
    }
    #expect(isUnreadable("[\n{\"a\":1},\n{\"a\":1}\n]\n"))
    #expect(isUnreadable("{\"a\":1}{\"a\":1}\n"))
    #expect(!isUnreadable("\(Self.record(0)){\"a\":1}\n"))
    #expect(!isUnreadable("[\n]\n"))
  }

  @Test("The record of a sample is found in its line")
  func records() {
    func shown(_ line: String, at place: UInt64) -> String {
      Array(line.utf8).withUnsafeBytes { line in
        String(decoding: line[LineStart.record(at: place, in: line)], as: UTF8.self)
      }
    }
    let (one, two) = (Self.record(0), Self.record(1))
    let second = UInt64(Self.length + 1)
    #expect(shown("\(one),\(two)", at: 0) == one && shown("\(one),\(two)", at: second) == two)
    #expect(shown("[\(one),", at: 0) == one && shown("\u{1E}\(one)", at: 0) == one)
    for line in [" \(one) ", one, "\(one)\r", String(one.dropLast()), "text"] {
      #expect(shown(line, at: 0) == line)
    }
    let torn = "\(one) \(two.dropLast())"
    #expect(shown(torn, at: 0) == one)
  }
}
