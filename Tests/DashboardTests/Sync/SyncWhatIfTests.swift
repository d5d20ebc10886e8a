import Foundation
import MisterMetricsCore
import Platform
import Sync
import SyncSimulation
import TerminalUI
import Testing

@testable import DashboardCore
@testable import EngineScreens

@Suite("Two futures on the Sync screen")
struct SyncWhatIfTests {
  init() { adoptUTF8() }

  /// A storm, and what it comes to when the first backoff is 5 s.
  private func entries() throws -> [MetricEntry] {
    let futures = try SyncFutures("rate-limit-storm", share: 0.1, change: Self.change)
    return futures.shared + futures.trunk + futures.branch
  }

  private static let change = SimulationAct.configure(
    SyncTuning.base.setting(5, in: SyncConfiguration()))

  private func model(_ width: Int = 120, _ height: Int = 36) throws -> Model {
    try SyncFixture.driven(width, height, entries: entries())
  }

  @discardableResult
  private func press(_ model: inout Model, _ keys: KeyPress...) -> [Effect] {
    keys.flatMap { update(&model, .input(.key($0))) }
  }

  @Test("pictures at the five sizes; alone with z; with colour; in ASCII")
  func pictures() throws {
    let entries = try entries()
    for (width, height) in LivePictureTests.sizes {
      let lines = view(try SyncFixture.driven(width, height, entries: entries)).buffer.lines
      try expectGolden(lines.map { $0 + "\n" }.joined(), "sync-futures-\(width)x\(height)")
    }
    var model = try SyncFixture.driven(120, 36, entries: entries)
    model.sync.pane = .branches
    press(&model, KeyPress("z"))
    let alone = view(model).buffer.lines
    try expectGolden(alone.map { $0 + "\n" }.joined(), "sync-futures-120x36-alone")
  }

  @Test("T shows the other future, x gives it up, and its number is in the header")
  func switching() throws {
    var model = try model()
    #expect(view(model).buffer.lines[0].contains(" t1 "))
    #expect(press(&model, KeyPress("U")).isEmpty && model.sync.branch == 1)
    #expect(view(model).buffer.lines[0].contains(" t2 "))
    #expect(press(&model, KeyPress("r")) == [.order(.perform(.requestSync, branch: 1))])
    #expect(press(&model, KeyPress(.delete)) == [.order(.drop(branch: 1))])
    #expect(model.sync.branch == 0 && model.sync.other == nil)
    #expect(press(&model, KeyPress("U"), KeyPress(.delete)).isEmpty)
    #expect(model.session.toast?.text == "Drop the other branch: there is only one branch")
  }

  @Test("before the shown future began, another one comes from the one that it came from")
  func parents() throws {
    var model = try model()
    press(&model, KeyPress("U"))
    let origin = try #require(model.sync.log.origin(of: 1))
    model.session.movePlayhead(to: origin.time - 1)
    press(&model, KeyPress("B"))
    for character in "with offline" { press(&model, KeyPress(character)) }
    guard
      case .simulate(.sync(.branch(from: let parent, let step, _))) = press(&model, KeyPress(.enter)).first
    else {
      Issue.record("no branch")
      return
    }
    #expect(parent == 0 && step < origin.step)
  }

  @Test("with three futures x gives up the one that the shown one is compared with")
  func three() throws {
    let futures = try SyncFutures("rate-limit-storm", share: 0.1, change: Self.change)
    let third = try SyncFutures("rate-limit-storm", share: 0.2, change: .clearFaults, number: 2)
    var model = try SyncFixture.driven(
      120, 36, entries: futures.shared + futures.trunk + futures.branch + third.branch)
    press(&model, KeyPress("U"))
    #expect(model.sync.branch == 1 && model.sync.other == 2)
    #expect(press(&model, KeyPress(.delete)) == [.order(.drop(branch: 2))])
    #expect(model.sync.branch == 1 && model.sync.other == 0 && model.session.toast?.text == "Dropped t3")
  }

  @Test("x on the trunk gives up the other one; Enter in the pane changes between them")
  func dropping() throws {
    var model = try model()
    model.sync.pane = .branches
    press(&model, KeyPress(.enter))
    #expect(model.sync.branch == 1)
    press(&model, KeyPress(.enter))
    #expect(model.sync.branch == 0)
    #expect(press(&model, KeyPress(.delete)) == [.order(.drop(branch: 1))])
    #expect(!model.syncScreen.layout.needs.hasBranches)
  }

  @Test("the pane names the change and the difference, also at the playhead")
  func words() throws {
    var model = try model()
    let picture = view(model).buffer.lines.joined(separator: "\n")
    #expect(picture.contains("backoff.base 30 s -> 5 s"))
    let comparison = try #require(
      SyncComparison(log: model.sync.log, of: 0, and: 1, until: nil, columns: 10))
    #expect(picture.contains(comparison.difference.prefix(20)))
    press(&model, KeyPress(","), KeyPress(","), KeyPress(","), KeyPress(","))
    #expect(model.session.isFrozen && view(model).buffer.lines.joined().contains("What if"))
  }

  @Test("what is counted takes whole numbers only, times take others too")
  func wholeNumbers() {
    let picture = EngineState()
    #expect(SyncActs.all.change("threshold 5.5", of: picture) == nil)
    #expect(SyncActs.all.change("threshold 0", of: picture) == nil)
    let changed = SyncTuning.base.setting(2.5, in: picture.configuration)
    #expect(SyncActs.all.change("base 2.5", of: picture) == .configure(changed))
    #expect(
      EngineFormatter.difference(SyncTuning.facts(picture.configuration), SyncTuning.facts(changed))
        == "backoff.base 30 s -> 2.5 s")
  }

  @Test("a future that is waited for is shown as soon as it begins")
  func awaited() throws {
    let futures = try SyncFutures("rate-limit-storm", share: 0.1, change: nil)
    var model = try SyncFixture.driven(120, 36, entries: futures.shared + futures.trunk)
    press(&model, KeyPress(","), KeyPress(","), KeyPress(" "))
    #expect(model.sync.awaited == 0 && model.sync.branch == 0)
    let more = try SyncFixture.feed(futures.shared + futures.trunk + futures.branch)
    _ = update(&model, .feed(more))
    #expect(model.sync.branch == 1 && model.sync.awaited == nil)
  }
}
