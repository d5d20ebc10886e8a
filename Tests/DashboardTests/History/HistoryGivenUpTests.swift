import Aggregation
import Codecs
import History
import Platform
import TerminalUI
import Testing

@testable import Dashboard
@testable import DashboardCore

@Suite("A first reading of the history that is under way or was given up")
struct HistoryGivenUpTests {
  var model = Model(
    size: Size(width: 120, height: 36), now: HistoryFixture.now, zone: .utc,
    feed: HistoryFixture.shared)

  init() {
    adoptUTF8()
    _ = update(&model, .history(HistoryNews()))
    _ = update(&model, .input(.key(KeyPress("2"))))
    tell(HistoryWork(kind: .indexing, progress: FeedProgress(done: 1, total: 2, perSecond: 1)))
  }

  private mutating func tell(_ work: HistoryWork?) {
    var news = HistoryNews()
    news.work = work
    _ = update(&model, .history(news))
  }

  private mutating func press(_ key: KeyPress) -> [Effect] { update(&model, .input(.key(key))) }

  private func asks(_ effects: [Effect]) -> Bool {
    effects.contains { if case .ask = $0 { true } else { false } }
  }

  private var lines: String { view(model).buffer.lines.joined(separator: "\n") }

  @Test("while it is under way nothing is said of samples that nobody has counted")
  func underWay() {
    #expect(lines.contains("Reading the history") && lines.contains("samples in view"))
    #expect(!lines.contains("samples in view 0") && !lines.contains("No sample is selected"))
  }

  @Test("Esc gives it up, which is said; Enter and 2 read on, and nothing else does", arguments: ["2", "\r"])
  mutating func again(key: String) {
    #expect(press(KeyPress(.escape)).contains(.cancelWork))
    tell(nil)
    #expect(lines.contains("was cancelled") && lines.contains("Enter or 2 resumes it"))
    #expect(lines.split(separator: "Reading", omittingEmptySubsequences: false).count == 2)
    #expect(
      !asks(press(KeyPress(.down))) && !asks(update(&model, .clock(HistoryFixture.now + 60))))
    #expect(asks(press(key == "2" ? KeyPress("2") : KeyPress(.enter))))
    #expect(!lines.contains("was cancelled"))
  }
}
