import Testing

@testable import JSONLines

@Suite("Advice that was tried on the lines")
struct LineAdviceTests {
  /// The text of an advice with its outcome.
  private func advice(_ lines: [String]) -> String {
    let advice = LineAdvice(excerpts: lines.map { Array($0.utf8) })
    let outcome = advice.trial.map { " \($0.read)/\($0.total)" } ?? ""
    return (advice.mapping?.text ?? "none") + outcome
  }

  private func lines(_ count: Int = 40, _ line: (Int) -> String) -> [String] { (0..<count).map(line) }

  @Test("names the time wherever it is, and the name and the value beside it")
  func nested() {
    #expect(
      advice(lines { #"{"kind":"p","data":{"at":"2026-11-23T17:15:\#($0 % 50 + 10)Z","value":\#($0)}}"# })
        == "time=data.at,name=kind,value=data.value 40/40")
    #expect(
      advice(
        lines { #"{"metric":"m\#($0 % 2)","when":{"$date":179545410\#($0 % 10)},"value":\#($0),"kind":"x"}"# }
      )
        == "time=when.$date,name=metric,value=value 40/40")
  }

  @Test("proposes no name that would make a metric of each address")
  func addresses() {
    let values: [(Int) -> String] = [
      { "192.168.0.\($0)" }, { "/orders/\($0)17" }, { "https://shop/\($0)" },
      { "550e8400-e29b-41d4-a716-44665544\($0 + 1000)" },
      { "u\($0)@example.com" }, { "9f3ab21c\($0 + 10)" }, { "the order number \($0) was paid" },
      { "word\($0)" },
    ]
    for value in values {
      #expect(
        advice(lines { #"{"at":179545410\#($0 % 10),"op":"\#(value($0))","ms":\#($0)}"# })
          == "time=at,value=ms 40/40")
      #expect(
        advice(lines { #"{"at":179545410\#($0 % 10),"op":"\#(value($0))","what":"read","ms":\#($0)}"# })
          == "time=at,name=what,value=ms 40/40")
    }
    #expect(
      advice(lines { #"{"at":179545410\#($0 % 10),"op":"GET \#($0 % 3)","ms":\#($0)}"# })
        == "time=at,name=op,value=ms 40/40")
  }

  @Test("leaves out what most lines lack, and says how many are read")
  func missing() {
    #expect(
      advice(
        lines { $0 % 2 == 0 ? #"{"at":1795454102,"op":"a","ms":\#($0)}"# : #"{"at":1795454102,"ms":\#($0)}"# }
      )
        == "time=at,value=ms 40/40")
    #expect(
      advice(lines { $0 % 4 == 0 ? #"{"other":"x"}"# : #"{"at":1795454102,"op":"a","ms":\#($0)}"# })
        == "time=at,name=op,value=ms 30/40")
    #expect(advice([#"{"a":"b"}"#]) == "none")
    #expect(advice(["plain text"]) == "none")
    #expect(
      advice(lines { #"{"at":1795454102,"op":"a","cpus":8,"n":\#($0)}"# }) == "time=at,name=op,value=n 40/40")
    #expect(advice(lines { _ in #"{"at":1795454102,"op":"a","cpus":8}"# }) == "time=at,name=op 40/40")
  }

  @Test("is for the line inside what surrounds it")
  func wrapped() {
    #expect(
      advice(lines { #"shop-1  | {"at":"2026-11-23T17:15:02Z","op":"a","ms":\#($0)}"# })
        == "time=at,name=op,value=ms 40/40")
  }

  @Test("of a line that is cut off, nothing is tried")
  func cut() {
    let line = #"{"at":1795454102,"op":"a","ms":1,"more":""#
    let cut = line + String(repeating: "x", count: RejectionLog.excerptLimits[1] - line.utf8.count)
    #expect(advice([cut]) == "time=at,name=op,value=ms")
  }

  @Test("is nothing for lines that are not JSON, unless what is wrong in them is repaired")
  func broken() {
    #expect(advice(lines { #"{"at":1795454102,"op":"a","ms":\#($0)"more":1}"# }) == "none")
    #expect(
      advice(lines { #"{"at":1795454102,"op":"a","ms":\#($0),"x":NaN,}"# })
        == "time=at,name=op,value=ms 40/40")
  }

  @Test("proposes no name that is missing at times, a number, an amount or an address")
  func unfit() {
    let members: [(Int) -> String] = [
      { #""op":"\#($0 == 7 ? "" : "a")""# }, { #""op":"\#($0 == 7 ? "-" : "a")""# },
      { #""op":\#($0 == 7 ? "null" : #""a""#)"# }, { #""op":"\#($0 % 3)""# },
      { _ in #""bytes_received":"none""# }, { _ in #""duration":"long""# }, { _ in #""ClientIP":"shop""# },
      { _ in #""remote_addr":"shop""# }, { _ in #""peer":"shop""# },
    ]
    for member in members {
      #expect(advice(lines { #"{"at":1795454102,\#(member($0)),"ms":\#($0)}"# }) == "time=at,value=ms 40/40")
      #expect(
        advice(lines { #"{"at":1795454102,\#(member($0)),"user":"x","method":"GET","ms":\#($0)}"# })
          == "time=at,name=method,value=ms 40/40")
    }
  }

  @Test("the first hundred rejected lines are kept for it, the same in parts as in one")
  func kept() {
    func log(_ lines: Range<Int>) -> RejectionLog {
      var log = RejectionLog()
      for line in lines { log.append(Rejection(reason: .notJSON, line: line, offset: 0, excerpt: [])) }
      return log
    }
    var parts = log(0..<60)
    parts.append(log(0..<80), linesBefore: 60)
    #expect(parts == log(0..<140) && parts.first.count == 100)
    #expect(log(0..<99).excerptLimit > log(0..<100).excerptLimit)
  }
}
