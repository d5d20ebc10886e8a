import Codecs
import Foundation
import TerminalUI
import TestSupport
import Testing

@testable import DashboardCore

/// Texts of files that leave the program, read back by programs that are not ours.
///
/// Three shells, and the modules `csv` and `xml.etree` of Python. `TEXTS=10000000` tries that many; the seeds are fixed.
@Suite("Ways out for text", .serialized)
struct TextWaysTests {
  init() { adoptUTF8() }

  /// A program's output for a file.
  private static func output(of words: [String], _ file: String) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words + [file]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return data
  }

  private static func lines(_ texts: some Sequence<String>) -> Data {
    Data(texts.flatMap { Array($0.utf8) + [0] })
  }

  @Test(
    "A shell reads a word as it was meant, in one line without a sign that a terminal would obey",
    arguments: ["sh", "bash", "fish"])
  func shell(_ shell: String) throws {
    let folder = try TemporaryFolder()
    try OddText.forEachBatch(seed: 1) { texts in
      let words = texts.map { (text: $0, word: ShellWord.quoted($0)) }
      #expect(words.allSatisfy { $0.word != nil || $0.text.unicodeScalars.last == "\n" })
      let quoted = words.compactMap(\.word).joined(separator: " ")
      #expect(quoted.unicodeScalars.allSatisfy { SafeText.columns(of: $0) != nil })
      let printed = try Self.output(of: [shell], folder.write("printf '%s\\0' \(quoted)\n", to: "script"))
      #expect(printed == Self.lines(words.filter { $0.word != nil }.map(\.text)))
    }
  }

  @Test("Python reads comma-separated fields as they were meant, and none of them is a formula")
  func commas() throws {
    let folder = try TemporaryFolder()
    let script = """
      import csv, sys
      for row in csv.reader(open(sys.argv[1], encoding='utf-8', newline='')):
          for field in row[:-1]:
              assert field[:1] not in tuple('=+-@\\t\\r') or set(field) <= set('+-.eE0123456789'), field
              sys.stdout.buffer.write(field.encode() + b'\\0')
      """
    try OddText.forEachBatch(seed: 2) { texts in
      var bytes: [UInt8] = []
      for (place, text) in texts.enumerated() {
        CSVText.append(Array(text.utf8)[...], to: &bytes)
        // The last field of a row is not the text's: an empty line would be no row.
        bytes += place % 8 == 7 || place == texts.count - 1 ? Array(",x\r\n".utf8) : Array(",".utf8)
      }
      let file = folder.path("fields.csv")
      try Data(bytes).write(to: URL(fileURLWithPath: file))
      let meant = texts.map { text in
        let begins = text.contains(
          #/^([\t\r\n\x00]|[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u{2800}]*[=+\-@＝＋－＠﹦﹢﹣﹫−])/#
            .matchingSemantics(.unicodeScalar))
        let isNumber = Double(text) != nil && text.utf8.allSatisfy { "+-.eE0123456789".utf8.contains($0) }
        return begins && !isNumber ? "'" + text : text
      }
      #expect(try Self.output(of: ["python3", "-c", script], file) == Self.lines(meant))
    }
  }

  @Test(
    "A formula is guarded whatever stands before it unseen",
    arguments: ["", "\u{FE0F}", "\u{3164}", "\u{115F}", "\u{17B4}", "\u{2800}", "\u{200B}", "\u{2067}", " "])
  func formulas(before: String) {
    for sign in ["=", "+", "-", "@", "＝", "＋", "－", "＠", "﹦", "﹢", "﹣", "﹫", "−"] {
      var bytes: [UInt8] = []
      CSVText.append(Array((before + sign + "1+x()").utf8)[...], to: &bytes)
      #expect(bytes.first == UInt8(ascii: "'"), "\(before)\(sign)")
    }
  }

  @Test("Python reads the text of a picture as it is drawn")
  func pictures() throws {
    let folder = try TemporaryFolder()
    let script = """
      import sys, xml.etree.ElementTree as tree
      for element in tree.parse(sys.argv[1]).getroot().iter('{http://www.w3.org/2000/svg}text'):
          sys.stdout.buffer.write((element.text or '').encode() + b'\\0')
      """
    try OddText.forEachBatch(seed: 3) { texts in
      var buffer = Buffer(size: Size(width: 80, height: texts.count))
      for (row, text) in texts.enumerated() { buffer.write(text, at: Position(x: 0, y: row)) }
      let file = try folder.write(buffer.svg(), to: "picture.svg")
      let drawn = (0..<texts.count).map { row in (0..<80).map { buffer[$0, row].text }.joined() }
        .filter { !$0.utf8.allSatisfy { $0 == 0x20 } }
      #expect(try Self.output(of: ["python3", "-c", script], file) == Self.lines(drawn))
    }
  }

  @Test("What is copied has no sign that a terminal would obey but tabs between columns")
  func clipboard() {
    OddText.forEachBatch(seed: 4) { texts in
      let copied = texts.map(SafeText.harmless).joined()
      #expect(copied.unicodeScalars.allSatisfy { $0 == "\t" || SafeText.columns(of: $0) != nil })
    }
  }
}
