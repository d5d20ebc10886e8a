import Foundation
import Platform
import TestSupport
import Testing

@testable import JSONLines

/// Texts that a stream turns into lines: records that span lines, UTF-16.
@Suite("Forms of texts")
struct TextFormTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// The bytes of a stream; none if it is not needed for the file.
  private func streamed(_ bytes: [UInt8], room: Int = 100) throws -> (text: String, isNeeded: Bool) {
    let path = folder.path("input")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let descriptor = try Posix.open(path)
    defer { Posix.close(descriptor) }
    let stream = PlainStream(descriptor: descriptor)
    var (content, piece) = ([UInt8](), [UInt8](repeating: 0, count: room))
    while case let count = try piece.withUnsafeMutableBytes({ try stream.read(into: $0) }), count > 0 {
      content += piece[..<count]
    }
    return (String(decoding: content, as: UTF8.self), StreamedFile.isNeeded(path))
  }

  static let records: [(name: String, text: String, lines: [String])] = [
    (
      "pretty-printed objects", "{\n  \"a\": 1,\n  \"b\": [ {\"c\": \"}\\\" {\"} ]\n}\n{\n  \"a\": 2\n}\n",
      [#"{"a":1,"b":[{"c":"}\" {"}]}"#, #"{"a":2}"#]
    ),
    ("with nothing between", "{\n\"a\": 1\n}{\n\"a\": 2\n}", [#"{"a":1}"#, #"{"a":2}"#]),
    (
      "a pretty-printed array", "[\n  {\n    \"a\": 1\n  },\n  {\n    \"a\": {}\n  }\n]\n",
      [#"{"a":1}"#, #"{"a":{}}"#]
    ),
    ("a text sequence", "\u{1E}{\n \"a\": 1\n}\n\u{1E}{\n \"a\": 2\n}\n", [#"{"a":1}"#, #"{"a":2}"#]),
    (
      "one that is cut off", "{\n\"a\": 1\n}\n{\n\"a\": {\n{\n\"a\": 3\n}\n",
      [#"{"a":1}"#, #"{"a":{"#, #"{"a":3}"#]
    ),
    (
      "one that is cut off in a text", "{\n\"a\": 1\n}\n{\n\"a\": \"x\n{\n\"a\": 3\n}",
      [#"{"a":1}"#, #"{"a":"x"#, #"{"a":3}"#]
    ),
    ("an array that goes on", "[{\"a\":1},{\"a\":2},", [#"{"a":1}"#, #"{"a":2}"#]),
    ("what is no record", "{\n\"a\": 1\n}\ndone: 1\n{\n\"a\": 2\n}", [#"{"a":1}"#, "done: 1", #"{"a":2}"#]),
    ("values that are flawed", "{\n \"a\": NaN,\n \"b\": 1\n}\n", [#"{"a":NaN,"b":1}"#]),
  ]

  @Test("Each record becomes a line, however the input is cut", arguments: records)
  func shaped(name: String, text: String, lines: [String]) throws {
    for room in [1, 7, 4096] {
      let (found, isNeeded) = try streamed(Array(text.utf8), room: room)
      #expect(found == lines.map { $0 + "\n" }.joined() && isNeeded, "\(name)")
    }
  }

  static let plain = [
    "", "{", "{\"a\":1}", "{\"a\":1}\n{\n", "[\n{\"a\":1},\n{\"a\":2}\n]\n", "[{\"a\":1},{\"a\":2}]",
    "[{\"a\":1},\n{\"a\":2},\n",
    "[2026-11-26 10:00:00] {\n", "[1,\n2]", "text\n{\n\"a\":1\n}\n", "{\"a\":1,\"b\":\"x\n{\"a\":1}\n",
    "{\"a\":{\n{\"a\":1}\n",
    "\u{0}\u{0}\u{0}\u{0}{\"a\":1}\n", "[\n]\n", "[", "\u{1E}{\"a\":1}\n",
  ]

  @Test("Lines stay as they are", arguments: plain)
  func unchanged(text: String) throws {
    let (found, isNeeded) = try streamed(Array(text.utf8))
    #expect(found == text && !isNeeded)
  }

  private static func utf16(_ text: String, isBig: Bool, mark: Bool) -> [UInt8] {
    ((mark ? [0xFEFF] : []) + Array(text.utf16)).flatMap { unit -> [UInt8] in
      let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return isBig ? bytes : bytes.reversed()
    }
  }

  @Test("UTF-16 is read with a mark or without, in either order", arguments: [true, false], [true, false])
  func utf16(isBig: Bool, mark: Bool) throws {
    let text = "{\"msg\":\"\u{E9}\u{20AC}\u{1F600}\"}\r\n{\"a\":1}\n"
    for room in [1, 7, 4096] {
      let (found, isNeeded) = try streamed(Self.utf16(text, isBig: isBig, mark: mark), room: room)
      #expect(found == text && isNeeded)
    }
    let pretty = "[\r\n  {\r\n    \"a\": 1\r\n  }\r\n]"
    #expect(try streamed(Self.utf16(pretty, isBig: isBig, mark: mark)).text == "{\"a\":1}\n")
    let half =
      Self.utf16("{\"a\":1}\n", isBig: isBig, mark: mark)
      + (isBig ? [0xD8, 0x3D, 0x00] : [0x3D, 0xD8, 0x00])
    #expect(try streamed(half).text == "{\"a\":1}\n\u{FFFD}")
  }

  @Test("A long array in one line is read in constant memory")
  func longArray() throws {
    let record = #"{"level":30,"time":1795454102500,"msg":"m","n":1}"#
    let text = "[" + Array(repeating: record, count: 40_000).joined(separator: ",") + "]"
    let (found, isNeeded) = try streamed(Array(text.utf8), room: 4096)
    #expect(isNeeded && found.utf8.count == 40_000 * (record.utf8.count + 1))
  }

  @Test("What is appended to a text is read later; a packed one cannot grow")
  func growth() throws {
    let path = folder.path("growing")
    func append(_ text: String) throws {
      let file = try Posix.open(path, flags: O_WRONLY | O_CREAT | O_APPEND, permissions: 0o600)
      defer { Posix.close(file) }
      try Array(text.utf8).withUnsafeBytes { try Posix.write($0, to: file) }
    }
    try append("[\n  {\n    \"a\": 1\n  },\n  {\n    \"a\"")
    let descriptor = try Posix.open(path)
    defer { Posix.close(descriptor) }
    let stream = PlainStream(descriptor: descriptor, follows: true)
    func read() throws -> String {
      var (text, piece) = ("", [UInt8](repeating: 0, count: 100))
      while case let count = try piece.withUnsafeMutableBytes({ try stream.read(into: $0) }), count > 0 {
        text += String(decoding: piece[..<count], as: UTF8.self)
      }
      return text
    }
    #expect(try read() == "{\"a\":1}\n{\"a\"" && stream.canGrow)
    try append(": 2\n  }")
    #expect(try read() == ":2}\n")
    try append(",\n  {\n    \"a\": 3\n  }\n]\n")
    #expect(try read() == "{\"a\":3}\n")
  }
}
