import Platform
import TerminalUI
import Testing

@testable import DashboardCore
@testable import LiveScreen

@Suite("The dashboard in lines")
struct LinearTests {
  var model = LiveFixture.model(200, 60, depth: .none, feed: LiveFixture.shared)

  init() {
    adoptUTF8()
    model.linear = LinearReader()
  }

  private mutating func lines(_ message: Message) -> [String] {
    update(&model, message).compactMap { if case .say(let line) = $0 { line } else { nil } }
  }

  private mutating func type(_ line: String) -> [String] { lines(.input(.paste(line))) }

  private mutating func open() -> [String] { lines(.clock(model.session.now)) }

  @Test("begins with what is read, a menu by numbers, and what is wrong")
  mutating func begins() {
    let lines = open()
    // Two of its 18 series are fields of one metric.
    #expect(lines.first?.contains("17 metrics, newest sample at") == true)
    #expect(lines.contains("1 what is wrong"))
    #expect(lines.last?.contains("sync.push_ms") == true)
  }

  @Test("waits with what is typed until the files are read")
  mutating func waits() {
    model.session.feed.status.isLoaded = false
    #expect(type("D").isEmpty)
    model.session.feed.status.isLoaded = true
    #expect(open().last?.contains("metrics, worst first") == true)
  }

  @Test("answers when it is known what was unusual, or says that it is still looked for")
  mutating func looksForIncidents() {
    _ = lines(.history(HistoryNews()))
    #expect(type("/zzz").isEmpty && type("1").isEmpty)
    let deadline = model.linear?.deadline
    #expect(deadline != nil && model.nextChange.map { $0 <= model.session.now + 3 } == true)
    let late = lines(.clock(model.session.now + 3.5))
    #expect(late == ["No metric matches", "There is no number 1 in the list; Enter reads it again"])
    var empty = LiveFixture.model(200, 60, depth: .none, feed: FeedSnapshot())
    empty.linear = LinearReader()
    _ = update(&empty, .history(HistoryNews()))
    _ = update(&empty, .input(.paste("D")))
    let said = update(&empty, .clock(empty.session.now + 3.5))
    #expect(
      said.contains {
        if case .say(let line) = $0 { line.hasPrefix("Still looking for incidents. ") } else { false }
      })
  }

  @Test("goes through metrics by number, and back")
  mutating func metrics() {
    _ = open()
    let list = type("2")
    #expect(list.contains { $0.hasPrefix("1 ") && $0.contains("median") })
    let more = type("m")
    #expect(more.first?.hasPrefix("16 ") == true)
    let one = type("1")
    #expect(one.first?.contains(". ") == true)
    #expect(one.last == "1 describe again, 2 newest samples, 3 compare, 0 back")
    #expect(type("2").count > 3)
    #expect(type("0").first?.hasPrefix("1 ") == true)
    #expect(type("q").contains("2 metrics"))
    #expect(update(&model, .input(.paste("q"))).contains(.quit))
  }

  @Test("counts as many metrics at its beginning as at its end and in words")
  mutating func oneCount() throws {
    let first = try #require(open().first)
    let words = try #require(type("D").last)
    _ = type("q")
    let last = try #require(model.receipt.first)
    for line in [first, words, last] { #expect(line.contains("17 metrics"), "\(line)") }
  }

  @Test("filters with / and takes commands with :")
  mutating func commands() {
    _ = open()
    let list = type("/push")
    #expect(list.count == 2)
    #expect(list[0].hasPrefix("1 sync.push_ms: last "))
    _ = type(":filter")
    #expect(model[LiveScreen.self].filter.isEmpty)
    #expect(type(":sort p955") == ["sort: unknown \"p955\"; did you mean p95?"])
    #expect(model.session.overlay == nil)
    #expect(type(":describe").first?.isEmpty == false)
  }

  @Test("tells each new event once, and many as a number")
  mutating func events() {
    _ = open()
    _ = type("1")
    #expect(type("D").count == 1)
    #expect(open().isEmpty)
  }

  @Test("answers everything that can be typed without a drawing")
  mutating func everything() {
    _ = open()
    for line in [
      "", "?", "1", "0", "2", "99", "-1", "3", "4", "5", "6", "7", "D", "x", "/zzz", "2", ":", ":nothing",
    ] {
      for said in type(line) {
        #expect(said.unicodeScalars.allSatisfy { !(0x2500...0x28FF).contains($0.value) && $0.value >= 0x20 })
      }
      #expect(model.session.overlay == nil, "\(line)")
    }
  }
}
