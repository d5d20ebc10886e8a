import Aggregation
import Codecs
import Platform
import TerminalUI
import TestSupport
import Testing

@testable import Dashboard
@testable import DashboardCore

@Suite("Percentiles of a window whose single samples are gone")
struct LiveEstimateTests {
  init() { adoptUTF8() }

  /// A day of one metric that never changes its course, in a store that keeps few single samples.
  private func dayLines() -> String {
    var store = SeriesStore(limits: .init(rawSamples: 400))
    let id = store.series(for: SeriesIdentity(bucket: "b", name: "m_ms", typeName: "Double"))
    for minute in 0..<1440 {
      for sample in 0..<8 {
        let value = 20 + 300 * Double((minute * 8 + sample) * 7919 % 1000) / 1000
        store.record(id, time: Double(minute * 60 + sample * 7), value: .number(value))
      }
    }
    var model = Model(
      size: Size(width: 120, height: 44), now: Timestamp(86_400),
      theme: Theme(capabilities: Capabilities(depth: .none)), zone: .utc, feed: FeedSnapshot(store: store))
    model.session.window = 86_400
    _ = update(&model, [.clock(Timestamp(86_401))])
    return view(model).buffer.lines.joined(separator: "\n")
  }

  @Test("the note does not call them nearest ranks")
  func note() {
    let lines = dayLines()
    #expect(lines.contains("percentiles from bins"), "\(lines)")
    #expect(!lines.contains("nearest rank"))
  }
}
