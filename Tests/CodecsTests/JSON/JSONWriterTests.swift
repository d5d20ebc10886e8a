import Codecs
import Foundation
import Testing

@Suite("Written JSON")
struct JSONWriterTests {
  @Test(arguments: [true, false])
  func `A string is written as Foundation writes it`(escapesSlashes: Bool) throws {
    let encoder = JSONEncoder()
    if !escapesSlashes { encoder.outputFormatting = .withoutEscapingSlashes }
    let scalars = (0..<0x300).compactMap { Unicode.Scalar($0) } + ["\u{2028}", "\u{FFFF}", "\u{1F680}"]
    for text in scalars.map(String.init) + ["", "a/b\\\"c\u{1F}/", String(String.UnicodeScalarView(scalars))]
    {
      var bytes: [UInt8] = []
      JSONWriter.append(text: text, to: &bytes, escapesSlashes: escapesSlashes)
      #expect(bytes == Array(try encoder.encode(text)))
    }
  }
}
