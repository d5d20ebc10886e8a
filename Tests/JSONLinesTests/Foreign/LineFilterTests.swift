import Testing

@testable import JSONLines

@Suite("Programs of jq that make readable lines")
struct LineFilterTests {
  private func program(_ lines: String...) -> String {
    let filter = LineAdvice(excerpts: lines.map { Array($0.utf8) }).filter
    return filter.map { $0.program + ($0.mapping.map { " " + $0.text } ?? "") } ?? "none"
  }

  private static let records = #"{"ts":1795454102.5,"ms":1},{"ts":1795454103.5,"ms":2}"#
  private static let mapped =
    #"{"at":1795454102.5,"op":"read","ms":1},{"at":1795454103.5,"op":"read","ms":2}"#

  @Test("A list inside an object is found where its records can be read")
  func lists() {
    #expect(program("{\"results\":[\(Self.records)]}") == ".results[]")
    #expect(program("{\"data\":{\"n\":1,\"items\":[\(Self.records)]}}") == ".data.items[]")
    #expect(program("{\"hits\":[{\"a\":1}],\"a-b\":[ \(Self.records) ]}") == ".\"a-b\"[]")
    #expect(
      program("{\"at\":1795454102.5,\"n\":3,\"rows\":[\(Self.mapped)]}")
        == ".rows[] time=at,name=op,value=ms")
    // A long one is cut off.
    let cut = "{\"results\":[\(Self.records)," + String(Self.records.prefix(30))
    #expect(program(cut) == ".results[]")
  }

  @Test("Without a list that can be read there is none")
  func none() {
    #expect(program("{\"a\":[1,2],\"b\":[{\"c\":\"d\"}]}") == "none")
    for text in [
      "{\"a\":[", "{\"a\":", "{\"a\":{\"b\":[{", "{", "{}", "plain text", "{\"a\":[]}", "{\"a\" 1}",
    ] {
      #expect(program(text) == "none")
    }
    // Lines that a mapping reads are records themselves.
    let line = "{\"at\":1795454102.5,\"n\":3,\"rows\":[\(Self.mapped)]}"
    #expect(program(line, line) == "none")
  }

  @Test("The order of lines without a time stands for it")
  func order() {
    #expect(
      program(#"{"ms":12,"op":"a"}"#, #"{"ms":13,"op":"a"}"#)
        == "(arrays[] // .) | .time = 1000000000 + input_line_number")
    #expect(
      program(#"{"time":0.61,"status":200}"#) == "(arrays[] // .) | .ts = 1000000000 + input_line_number")
    #expect(program(#"{"a":"b"}"#) == "none" && program(#"web-1 | {"n":1}"#) == "none")
  }
}
