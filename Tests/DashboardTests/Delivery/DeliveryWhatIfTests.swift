import DeliverySimulation
import Foundation
import MisterMetricsCore
import Platform
import TerminalUI
import Testing

@testable import DashboardCore
@testable import EngineScreens

@Suite("Two branches on the Delivery screen")
struct DeliveryWhatIfTests {
  init() { adoptUTF8() }

  /// An outage, and beside it one whose breaker opens for a minute at first.
  private func entries() throws -> [MetricEntry] {
    let main = DeliverySimulation(try DeliveryFixture.scenario("endpoint-outage"))
    while main.steps < 12, main.step() {}
    let shared = main.takeEntries()
    let step = main.steps
    while main.step() {}
    var constants = DeliveryConstants()
    constants.breakerSeconds = 60
    let branch = main.branched(at: step, as: 1, change: .configure(constants))
    while branch.step() {}
    return shared + main.takeEntries() + branch.takeEntries()
  }

  private func model(_ width: Int, _ height: Int, _ entries: [MetricEntry]) throws -> Model {
    var model = DeliveryFixture.model(width, height, feed: try SyncFixture.feed(entries))
    try DeliveryFixture.drive(&model)
    return model
  }

  @Test("what is different has a name, and both are compared from where they part")
  func comparison() throws {
    let model = try model(120, 36, entries())
    let log = model.delivery.log
    #expect(log.branches == [0, 1] && log.change(of: 1) == "breaker.base 10 s -> 60 s")
    let comparison = try #require(
      EngineComparison<ClientState>(log: log, of: 0, and: 1, columns: 40))
    #expect(comparison.one.opens == 4 && comparison.other.opens == 2)
    #expect(comparison.one.acknowledged == 261 && comparison.other.acknowledged == 261)
    #expect(comparison.other.secondsLate > 100)
    #expect(
      comparison.difference == "t2: 2 opens fewer, 9.1 s more late, queue peak 205 -> 219")
  }

  @Test("pictures at the five sizes")
  func pictures() throws {
    let entries = try entries()
    for (width, height) in LivePictureTests.sizes {
      let lines = view(try model(width, height, entries)).buffer.lines
      try expectGolden(lines.map { $0 + "\n" }.joined(), "delivery-futures-\(width)x\(height)")
    }
  }

  @Test("T shows the other one, x gives it up")
  func keys() throws {
    var model = try model(120, 36, entries())
    _ = update(&model, .input(.key(KeyPress("U"))))
    #expect(model.delivery.branch == 1 && model.session.toast?.text == "Showing t2")
    #expect(update(&model, .input(.key(KeyPress(.delete)))) == [.toClient(.drop(branch: 1))])
    #expect(model.delivery.branch == 0 && model.delivery.other == nil)
  }
}
