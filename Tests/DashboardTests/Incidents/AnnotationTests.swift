import Platform
import TerminalUI
import Testing

@testable import Aggregation
@testable import DashboardCore
@testable import LiveScreen

@Suite("Annotations of the time axis")
struct AnnotationTests {
  init() { adoptUTF8() }

  private static let start = 816_960_000.0
  private static let version = SeriesIdentity(
    bucket: "api", name: "checkout", typeName: "Request", field: "version")
  private static let upload = SeriesIdentity(
    bucket: "net", name: "upload", typeName: "Upload", field: "version")
  private static let request = SeriesIdentity(bucket: "net", name: "request_ms", typeName: "Double")

  @Test(
    "texts are versions",
    arguments: [
      ("2.4.1", true), ("v1.12", true), ("3.0.0-rc.2", true), ("2.4 (417)", true), ("1.0+a1b2c3", true),
      ("10.0.0.1", false), ("503", false), ("1.", false), (".5", false), ("2.4x", false), ("HTTP/1.1", false),
      ("", false), ("v", false), ("1..2", false), (String(repeating: "1", count: 50) + ".0", false),
    ])
  func versions(text: String, expected: Bool) { #expect(VersionText.isVersion(text) == expected) }

  /// Ten minutes in which the version changes at some seconds, and requests go on as usual.
  private func entries(_ changes: [(second: Int, version: String)]) -> [IncidentLog.Entry] {
    var log = IncidentLog { _ in .values }
    let numbers = [Self.version, Self.upload].compactMap { log.number(of: $0) }
    for second in 0..<600 {
      let version = changes.last { $0.second <= second }?.version ?? "2.4.0"
      for (place, number) in numbers.enumerated() where second > 3 * place {
        log.record(.text(version), at: Self.start + Double(second), of: number)
      }
    }
    return log.entries
  }

  @Test("a release is an annotation, told once, and no incident")
  func release() {
    let found = FoundIncidents(entries([(300, "2.4.1")]), isWhole: true)
    #expect(found.groups.isEmpty)
    #expect(
      found.annotations == [
        Annotation(time: Timestamp(Self.start + 300), text: "2.4.1", before: "2.4.0", series: Self.version)
      ])
    #expect(FoundIncidents(entries([(300, "backoff")]), isWhole: true).groups.count == 1)
  }

  private func model(_ width: Int = 120, _ height: Int = 36, glyphs: GlyphTier = .braille) -> Model {
    var store = SeriesStore()
    for second in 0..<600 {
      let time = Self.start + Double(second)
      store.record(
        store.series(for: Self.version), time: time, value: .text(second < 540 ? "2.4.0" : "2.4.1"))
      store.record(store.series(for: Self.request), time: time, value: .number(70 + Double(second * 7 % 11)))
    }
    var status = FeedStatus()
    status.sources = ["app.jsonl"]
    status.isLoaded = true
    var model = LiveFixture.model(
      width, height, depth: .none, glyphs: glyphs, now: Timestamp(Self.start + 600),
      feed: FeedSnapshot(store: store, status: status))
    model.session.limits = LimitSet()
    var news = HistoryNews()
    news.incidents = FoundIncidents(entries([(540, "2.4.1")]), isWhole: true)
    _ = update(&model, .history(news))
    return model
  }

  @Test(
    "a release raises no alert, has no headline and stands before no metric; What changed tells it without severity"
  )
  func quiet() {
    let model = model()
    let lines = view(model).buffer.lines
    #expect(lines[1].contains("as usual") || lines[1].contains("Too few samples"), "\(lines[1])")
    #expect(model.session.alerts.count(at: model.session.present) == 0)
    #expect(model.session.alerts.signs.isEmpty && model.live.order.reasons.isEmpty)
    #expect(model.session.alerts.events.map(\.kind) == [.annotation])
    #expect(lines.contains { $0.contains("◆ api.checkout.version 2.4.0 → 2.4.1") })
    #expect(
      view(self.model(glyphs: .ascii)).buffer.lines.contains {
        $0.contains("& api.checkout.version 2.4.0 -> 2.4.1")
      })
  }

  @Test(
    "charts of every metric have its mark, and so has the rail", arguments: [("1", 120, 36), ("1", 80, 24)])
  func marks(screen: String, width: Int, height: Int) {
    var model = model(width, height)
    _ = update(&model, .input(.key(KeyPress(Character(screen)))))
    model.live.selection = .series(Self.request)
    _ = update(&model, .clock(model.session.now))
    let lines = view(model).buffer.lines
    #expect(lines.contains { $0.contains("◆ 2.4.1") }, "\(lines.joined(separator: "\n"))")
    #expect(lines[height - 2].contains("◆"), "\(lines[height - 2])")
  }

  @Test("annotations are those of a stretch of time")
  func stretch() {
    let session = model().session
    let moment = Timestamp(Self.start + 540)
    #expect(session.annotations(from: moment, to: moment + 1).map(\.text) == ["2.4.1"])
    #expect(session.annotations(from: moment + 1, to: moment + 60).isEmpty)
  }
}
