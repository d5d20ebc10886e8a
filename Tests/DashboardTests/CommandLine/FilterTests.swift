import Aggregation
import Platform
import TerminalUI
import Testing

@testable import DashboardCore
@testable import HistoryScreen
@testable import LiveScreen

@Suite("Filters as queries")
struct FilterTests {
  var model = LiveFixture.model(120, 36, depth: .none, feed: LiveFixture.shared)

  init() { adoptUTF8() }

  private mutating func press(_ keys: KeyPress...) {
    for key in keys { _ = update(&model, .input(.key(key))) }
  }

  private mutating func filter(_ text: String) {
    press(KeyPress("/"))
    for character in text { press(KeyPress(character)) }
    press(KeyPress(.enter))
  }

  private var names: [String] {
    model[LiveScreen.self].content.rows.compactMap {
      if case .series(let identity) = $0.id { identity.fullName } else { nil }
    }.sorted()
  }

  static let cases: [(query: String, names: [String])] = [
    ("push", ["sync.push_ms"]),
    ("sync ms", ["sync.pull_ms", "sync.push_ms"]),
    ("*_bytes", ["db.wal_bytes", "mem.footprint_bytes", "net.tx_bytes"]),
    ("/^(db|ui)\\./", ["db.wal_bytes", "db.write_ms", "ui.frame_ms", "ui.hang_ms"]),
    ("_ms and p95 > 300ms", ["launch.ttfd_ms", "sync.push_ms"]),
    ("p95 > 0.3s", ["launch.report.totalMs", "launch.ttfd_ms", "sync.push_ms"]),
    ("sync and not ms", ["sync.queue_count", "sync.state"]),
    ("firing", ["sync.push_ms"]),
    ("now > 100M", ["mem.footprint_bytes"]),
    ("isCold = true", ["launch.report.isCold", "launch.report.totalMs"]),
    ("age > 1m and n > 0", []),
    ("sync ms and p95 > 1.01 * p50", ["sync.pull_ms", "sync.push_ms"]),
    ("sync ms and p95/p50 < 1", []),
    ("push_ms.p95 / pull_ms.p95 > 1", ["sync.push_ms"]),
    ("sync.push_ms > 0", ["sync.push_ms"]),
  ]

  @Test("choose rows by names, figures, states and fields", arguments: cases)
  mutating func chooses(query: String, expected: [String]) {
    filter(query)
    #expect(names == expected)
    #expect(model.session.overlay == nil)
  }

  @Test("the same words work in the history")
  mutating func history() {
    press(KeyPress("2"))
    filter("*_bytes or firing")
    let found = model[HistoryScreen.self].rows.compactMap { row -> String? in
      if case .node(.series(let identity)) = row.id { identity.fullName } else { nil }
    }
    #expect(found == ["db.wal_bytes", "mem.footprint_bytes", "net.tx_bytes", "sync.push_ms"])
  }

  @Test("a mistake is marked under the line, with what was meant, and stays to be corrected")
  mutating func mistakes() {
    press(KeyPress("/"))
    for character in "p59 > 400ms" { press(KeyPress(character)) }
    var lines = view(model).buffer.lines
    #expect(lines[34].contains("^~~ "))
    #expect(lines[34].contains("did you mean p95?"))
    press(KeyPress(.enter))
    #expect(model.session.overlay != nil)
    press(.control("a"), KeyPress(.right), KeyPress(.delete), KeyPress(.delete))
    for character in "95" { press(KeyPress(character)) }
    lines = view(model).buffer.lines
    #expect(!lines[34].contains("did you mean"))
    press(KeyPress(.enter))
    #expect(model.session.overlay == nil)
    #expect(names == ["launch.report.totalMs", "launch.ttfd_ms", "sync.push_ms"])
  }

  @Test("what looks like a comparison but is none is marked as well, not taken for names")
  mutating func calculations() {
    press(KeyPress("/"))
    for character in "p95 > 2 * foo" { press(KeyPress(character)) }
    let line = view(model).buffer.lines[34]
    #expect(line.contains("^~~ ") && line.contains("'foo' is neither a figure nor a number"), "\(line)")
  }

  @Test("where a part of a name occurs nowhere, the metrics are named that were probably meant")
  mutating func hints() {
    for text in ["footprint >= 500", "footprint_byts"] {
      filter(text)
      let lines = view(model).buffer.lines
      #expect(lines.contains { $0.contains("nothing matches «\(text)»") })
      let part = text.prefix { $0 != " " }
      #expect(lines.contains { $0.contains("\(part): did you mean mem.footprint_bytes?") }, "\(lines)")
    }
  }

  @Test("Tab completes names and figures")
  mutating func completes() {
    press(KeyPress("/"))
    for character in "footpr" { press(KeyPress(character)) }
    press(KeyPress(.tab))
    guard case .typing(_, let prompt) = model.session.overlay else { Issue.record("no line"); return }
    #expect(prompt.text.contains("mem.footprint_bytes"))
    #expect(names == ["mem.footprint_bytes"])
  }

  @Test("Tab completes the values that a field had")
  mutating func values() {
    var feed = LiveFixture.shared
    let identity = SeriesIdentity(bucket: "api", name: "call", typeName: "Call", field: "route")
    let id = feed.store.series(for: identity)
    for text in ["/feed", "/home", "/feed"] {
      feed.store.record(id, time: LiveFixture.now - 10, value: .text(text))
    }
    _ = update(&model, [.feed(feed)])
    press(KeyPress("/"))
    for character in "route = /f" { press(KeyPress(character)) }
    press(KeyPress(.tab))
    guard case .typing(_, let prompt) = model.session.overlay else { Issue.record("no line"); return }
    #expect(prompt.text == "route = /feed")
    #expect(names == ["api.call.route"])
  }

  @Test("a comparison that is half typed leaves the rows as they were, until Enter says that it is whole")
  mutating func halfTyped() {
    press(KeyPress("/"))
    for character in "sync p95" { press(KeyPress(character)) }
    let found = ["sync.pull_ms", "sync.push_ms", "sync.queue_count", "sync.state"]
    #expect(names == found)
    for character in " > 300ms" { press(KeyPress(character)) }
    #expect(names == ["sync.push_ms"])
    press(KeyPress(.enter))
    filter("sync p95")
    #expect(names.isEmpty)
  }

  @Test("the frame names the query whose rows it has, not the one that is being typed")
  mutating func frame() {
    filter("sync")
    press(KeyPress("/"), KeyPress(.end))
    for character in " (p95" { press(KeyPress(character)) }
    let lines = view(model).buffer.lines
    #expect(lines.contains { $0.contains("/ sync ") && $0.contains(" 4 of ") }, "\(lines)")
  }

  @Test("a field beside a figure is refused, whose figures would be those of all samples")
  mutating func unfiltered() {
    filter("isCold = true and p95 > 1")
    #expect(model.session.overlay != nil)
    #expect(view(model).buffer.lines.contains { $0.contains("figures cover all samples here") })
  }

  @Test("what may follow is listed in the row above")
  mutating func listed() {
    press(KeyPress("/"), KeyPress("p"))
    #expect(view(model).buffer.lines[34].contains(" p50  p95  p99  "))
  }

  @Test("where a unit leaves nothing, that is said")
  mutating func units() {
    filter("queue_count and p95 > 0ms")
    let lines = view(model).buffer.lines
    #expect(lines.contains { $0.contains("nothing matches «queue_count and p95 > 0ms»") })
    #expect(lines.contains { $0.contains("a unit matches metrics named _ms") })
    filter("push_ms and p95 > 9999999ms")
    #expect(!view(model).buffer.lines.contains { $0.contains("a unit fits") })
    filter("queue_count and p95 > 9999999")
    #expect(!view(model).buffer.lines.contains { $0.contains("a unit fits") })
  }

  static let sizes = [(120, 36), (80, 24), (60, 18), (40, 12), (240, 80)]

  @Test("the filter and the order are seen at every size, on Live", arguments: sizes)
  mutating func visible(width: Int, height: Int) {
    _ = update(&model, .input(.resize(Size(width: width, height: height))))
    filter("push")
    press(KeyPress("s"), KeyPress("s"), KeyPress("s"))
    let footer = view(model).buffer.lines[height - 1]
    #expect(footer.contains("/ push") && footer.contains("s by p95"), "\(footer)")
  }

  @Test("the filter and the order are seen at every size, in the history", arguments: sizes)
  func visibleInHistory(width: Int, height: Int) {
    var model = HistoryFixture.model(width, height)
    let keys = "/push".map { KeyPress($0) } + [KeyPress(.enter), KeyPress("s")]
    for key in keys { HistoryFixture.press(key, &model) }
    let footer = view(model).buffer.lines[height - 1]
    #expect(footer.contains("/ push") && footer.contains("s largest first"), "\(footer)")
  }
}
