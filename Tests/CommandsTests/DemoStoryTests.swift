import Codecs
import Dashboard
import DashboardCore
import Foundation
import MisterMetricsCore
import Platform
import TerminalUI
import TestSupport
import Testing

@testable import Commands

@Suite("The story of the demo")
struct DemoStoryTests {
  private static let opening = Timestamp(816_918_481)

  @Test(
    "opens in the middle of the slow query, and tells the rest in three minutes; then another round begins")
  func chapters() {
    let opening = DemoStory.opening
    func kind(_ seconds: Double) -> DemoIncident.Kind? { DemoStory.incident(at: opening + seconds)?.kind }
    #expect(
      [-110, -69, -67, 0, 34, 50, 70, 100, 120, 160].map(kind) == [
        nil, nil, .slowQuery, .slowQuery, .slowQuery, nil, .failingEndpoint, nil, .syncStorm, nil,
      ])
    #expect(DemoStory.version(at: opening - 71) == "2.4.0" && DemoStory.version(at: opening) == "2.4.1")
    #expect(DemoStory.version(at: opening + 36) == "2.4.2")
    for second in stride(from: -65.0, to: 225, by: 10) {
      #expect(kind(second) == kind(second + DemoStory.roundLength), "\(second)")
    }
    #expect(DemoStory.version(at: opening + DemoStory.roundLength) == "2.4.3")
  }

  @Test("is told by marks on the rail, each when its time has come")
  func marks() {
    let start = Self.opening - DemoStory.opening
    let marks = DemoStory.marks(from: start)
    #expect(zip(marks, marks.dropFirst()).allSatisfy { $0.time < $1.time })
    #expect(
      marks.prefix(4).map(\.text) == [
        "2.4.1 slows db.orders", "2.4.2 mends db.orders", "an endpoint fails", "a sync storm",
      ])
    var model = Model(
      size: Size(width: 120, height: 36), now: Self.opening, zone: .utc, feed: FeedSnapshot())
    model.session.story = marks
    _ = update(&model, .clock(Self.opening))
    #expect(Set(model.session.notes.marks.keys) == ["a"] && model.session.toast == nil)
    _ = update(&model, .clock(Self.opening + 35.1))
    #expect(model.session.notes.marks["b"]?.text == "2.4.2 mends db.orders")
    #expect(model.session.toast?.text == "b: 2.4.2 mends db.orders")
  }

  /// The demo as it is at a moment, in seconds from its opening.
  private func frame(
    at second: Double, _ width: Int, _ height: Int, screen: String? = nil, of metric: String? = nil
  ) async throws -> [String] {
    let folder = try TemporaryFolder()
    let path = folder.path("demo.jsonl")
    let now = Self.opening + second
    let recorder = try DemoRecorder(
      store: URL(fileURLWithPath: path), seed: 42, history: .seconds(DemoStory.opening + second), now: { now }
    )
    try await recorder.writeHistory()
    var view = ViewOptions()
    view.limits = LimitSet(DemoRecorder.limits)
    var request = SnapshotCommand.Request(
      paths: [path], size: Size(width: width, height: height), form: .text, view: view)
    (request.screen, request.metric) = (screen, metric)
    let lines = Recorder<String>()
    let console = Console(write: { lines.append($0) }, writeError: { lines.append($0) })
    #expect(Snapshot(request, now: { now }).run(console: console) == .success)
    return lines.all.joined().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test(
    "the first frame says what is wrong, since when, and what moved with it; the worst number is in front")
  func firstFrame() async throws {
    let lines = try await frame(at: 0, 120, 36)
    let text = lines.joined(separator: "\n")
    #expect(lines[1].contains("▌ api.checkout.ms 19"), "\(text)")
    #expect(lines[1].contains("× its usual: p95 2.") && lines[1].contains("limit 400ms since"), "\(text)")
    #expect(lines[1].contains("with db.orders_ms 1") && lines[1].contains("queue.depth"), "\(text)")
    let rows = lines[4..<9].map { $0.dropFirst(2).prefix { $0 != " " } }
    #expect(rows.first == "api.checkout.ms", "\(text)")
    #expect(Set(rows).isSuperset(of: ["db.orders_ms", "queue.depth", "auth.token_refresh_ms"]), "\(text)")
    #expect(lines.contains { $0.contains("─ api.checkout.ms ── 2m average") }, "\(text)")
    #expect(lines.contains { $0.contains("◆ 2.4.1") }, "\(text)")
    #expect(lines.contains { $0.contains(" ◆ ") && $0.contains(" 2.4.0 → 2.4.1") }, "\(text)")
  }

  @Test(
    "3 tells that the newest release is slower, and later that it is faster",
    arguments: [(0.0, nil, "2.4.1 is slower"), (60, "api.checkout.ms", "2.4.2 is faster")])
  func verdict(second: Double, selected: String?, verdict: String) async throws {
    let text = try await frame(at: second, 120, 36, screen: "histogram", of: selected)
      .joined(separator: "\n")
    #expect(text.contains(verdict), "\(text)")
  }

  @Test(
    "the first line is about the checkout while its query is slow, in this round and in the next",
    arguments: [(10.0, "api.checkout.ms"), (270, "api.checkout.ms")])
  func later(second: Double, subject: String) async throws {
    let lines = try await frame(at: second, 120, 36)
    #expect(lines[1].contains("▌ \(subject)"), "\(lines.joined(separator: "\n"))")
  }
}
