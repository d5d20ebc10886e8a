import Aggregation
import Foundation
import MisterMetricsCore
import Platform
import Sync
import SyncSimulation
import TerminalUI
import Testing

@testable import DashboardCore
@testable import EngineScreens

@Suite("The timeline of the Sync screen")
struct SyncTimelineTests {
  init() { adoptUTF8() }

  private func model(_ scenario: String, _ width: Int = 120, _ height: Int = 36) throws -> Model {
    SyncFixture.model(width, height, feed: try SyncFixture.feed(try SyncFixture.entries(scenario)))
  }

  @discardableResult
  private func press(_ model: inout Model, _ keys: KeyPress...) -> [Effect] {
    keys.flatMap { update(&model, .input(.key($0))) }
  }

  private func type(_ model: inout Model, _ text: String) {
    for letter in text { press(&model, KeyPress(letter)) }
  }

  private func requests(_ model: Model) -> [SyncRequest] {
    model.sync.entries.compactMap { if case .request(let request) = $0.entry { request } else { nil } }
  }

  @Test("it has decisions, requests with what came of them, changes and faults, in their order")
  func kinds() throws {
    let model = try model("poison-item")
    let entries = model.sync.entries
    #expect(zip(entries, entries.dropFirst()).allSatisfy { $0.time <= $1.time && $0.number < $1.number })
    var kinds: Set<String> = []
    for entry in entries {
      switch entry.entry {
      case .decision: kinds.insert("decision")
      case .change(let change): kinds.insert("\(change.state)")
      case .request: kinds.insert("request")
      case .fault: kinds.insert("fault")
      case .story: kinds.insert("story")
      case .conflict, .constants: kinds.insert("other")
      }
    }
    #expect(kinds == ["decision", "queued", "dead", "request", "fault", "story"])
    let reason = "request refused (HTTP 422): invalid: note must not be empty"
    #expect(requests(model).count(where: { $0.outcome == .failed(reason) }) == 5)
    #expect(requests(model).count(where: { $0.outcome == .taken }) == 7)
    #expect(!requests(model).contains { $0.outcome == .open })
    #expect(requests(model).allSatisfy { $0.seconds > 0.05 && $0.seconds < 1 })
  }

  @Test(
    "each request of a scenario that has ended has an answer, and it is that of the record",
    arguments: SyncFixture.stories)
  func answers(scenario: String) throws {
    let model = try model(scenario)
    let engine = model.sync.engine
    // The list is cut where a scenario is long.
    guard engine.timeline.list.count == engine.timeline.count else { return }
    let all = requests(model)
    #expect(all.count(where: { $0.outcome == .taken }) <= engine.outcomes[.acknowledged] ?? 0)
    let open = all.filter { $0.outcome == .open }
    #expect(open.count <= (scenario == "power-cut" || scenario == "hung-call" ? all.count : 0), "\(open)")
  }

  @Test("/ lists what holds the words, and what is typed of them at once; Esc lists all again")
  func filter() throws {
    var model = try model("poison-item")
    let all = model.sync.entries.count
    press(&model, KeyPress("/"))
    type(&model, "422")
    #expect(model.sync.entries.count == 11)
    press(&model, KeyPress(.enter))
    #expect(model.session.overlay == nil && model.sync.filter == "422")
    let picture = view(model).buffer.lines.joined(separator: "\n")
    #expect(picture.contains("/ 422  11 of \(all)"))
    press(&model, KeyPress(.escape))
    #expect(model.sync.filter.isEmpty && model.sync.entries.count == all)
    press(&model, KeyPress("/"))
    type(&model, "zebra")
    press(&model, KeyPress(.enter))
    #expect(view(model).buffer.lines.joined(separator: "\n").contains("nothing matches \"zebra\""))
  }

  @Test("Enter goes to the moment and shows all about it, at every size; Enter again finds its line")
  func opening() throws {
    for (width, height) in LivePictureTests.sizes {
      var model = try model("poison-item", width, height)
      press(&model, KeyPress("/"))
      type(&model, "push failed")
      press(&model, KeyPress(.enter), KeyPress(.enter))
      let entry = try #require(model.syncScreen.selectedEntry)
      #expect(model.sync.isOpen && model.session.edge == entry.time)
      try expectGolden(
        view(model).buffer.lines.map { $0 + "\n" }.joined(), "sync-detail-\(width)x\(height)")
      guard case .decision(let decision) = entry.entry else { return }
      let query = LineQuery(
        identity: .init(bucket: "sync", name: "transition", typeName: "SyncTransition"), time: entry.time,
        holding: ["\"sequence\":\(decision.sequence)"])
      #expect(press(&model, KeyPress(.enter)) == [.findLine(query)])
      press(&model, KeyPress(.escape), KeyPress(.escape))
      #expect(!model.sync.isOpen)
    }
  }

  @Test("in the queue, Enter lists what happened to the selected change")
  func following() throws {
    var model = try model("poison-item")
    model.sync.pane = .queue
    let dead = try #require(model.sync.engine.dead.first)
    press(&model, KeyPress(.enter))
    #expect(model.sync.filter == "\"\(dead.entity)\"" && model.sync.pane == .timeline)
    // Changed, sent eight times, five of them refused, abandoned.
    #expect(model.sync.entries.count == 10)
    model.sync.pane = .queue
    press(&model, KeyPress(.down), KeyPress(.up), KeyPress("G"), KeyPress("g"))
    #expect(model.syncScreen.selectedChange == 0)
  }

  @Test("two futures stand side by side, and the first difference is marked")
  func futures() throws {
    let shared = try SyncFutures(
      "rate-limit-storm", share: 0.1,
      change: .configure(SyncTuning.base.setting(5, in: SyncConfiguration())))
    var model = try SyncFixture.driven(120, 36, entries: shared.shared + shared.trunk + shared.branch)
    let futures = try #require(model.syncScreen.futures(of: (0, 1)))
    let first = try #require(futures.firstDifference)
    // The changed part stands before, in the file where it was.
    #expect(futures.rows.prefix(first).count { !$0.isSame } == 1)
    #expect(futures.rows[first].one == nil && futures.rows[first].other != nil)
    let times = futures.rows.compactMap { $0.one?.time ?? $0.other?.time }
    #expect(times == times.sorted())
    #expect(
      futures.rows.compactMap(\.one).count + futures.rows.compactMap(\.other).count > futures.rows.count)
    model.sync.pane = .branches
    press(&model, KeyPress("z"))
    #expect(view(model).buffer.lines.count { $0.contains("≠") } == 1)
    let before = view(model).buffer.lines
    press(&model, KeyPress(.pageDown))
    #expect(view(model).buffer.lines != before)
    #expect(model.sync.own.futureScroll == 9)
    press(&model, KeyPress(.pageUp))
    #expect(view(model).buffer.lines == before)
  }
}
