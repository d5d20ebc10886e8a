import Aggregation
import DeliveryCore
import DeliverySimulation
import Foundation
import MisterMetricsCore
import Platform
import TerminalUI
import Testing

@testable import DashboardCore
@testable import EngineScreens

@Suite("The keys of the Delivery screen")
struct DeliveryScreenTests {
  init() { adoptUTF8() }

  /// A client in the third opening of its breaker.
  private func outage(isDriven: Bool = false) throws -> Model {
    try DeliveryFixture.model(120, 36, "endpoint-outage", after: 75, isDriven: isDriven)
  }

  @discardableResult
  private func press(_ model: inout Model, _ keys: KeyPress...) -> [Effect] {
    keys.flatMap { update(&model, .input(.key($0))) }
  }

  @discardableResult
  private func type(_ model: inout Model, _ text: String) -> [Effect] {
    text.flatMap { update(&model, .input(.key(KeyPress(.character($0))))) }
  }

  private func lines(_ model: Model) -> [String] { view(model).buffer.lines }

  @Test("5 shows it, q goes back to Live")
  func tabs() throws {
    var model = try outage()
    #expect(model.screen == "delivery" && model.shownTab == " 5 Deliv ")
    press(&model, KeyPress("q"))
    #expect(model.screen == "live")
  }

  @Test("arrows go from entry to entry, [ and ] from failure to failure, past the last one to the live end")
  func travelling() throws {
    var model = try outage()
    let all = model.delivery.engine.timeline.list
    let failures = all.filter(\.isFailure).map(\.time)
    #expect(failures.count == 5)
    press(&model, KeyPress(.left))
    #expect(model.session.edge == all.last?.time)
    press(&model, KeyPress("F"), KeyPress("["))
    #expect(model.session.edge == failures[4] && model.deliveryScreen.selectedEntry?.isFailure == true)
    press(&model, KeyPress("["), KeyPress("["))
    #expect(model.session.edge == failures[2])
    #expect(model.delivery.engine.failures.count == 3)
    press(&model, KeyPress("]"))
    #expect(model.session.edge == failures[3])
    press(&model, KeyPress("]"), KeyPress("]"))
    #expect(!model.session.isFrozen)
    for _ in 0..<6 { press(&model, KeyPress("[")) }
    #expect(model.session.edge == failures[0] && model.session.toast?.text == "No failure before this")
  }

  @Test("/ filters the timeline by words, Esc takes the filter off")
  func filter() throws {
    var model = try outage()
    press(&model, KeyPress("/"))
    type(&model, "batch 503")
    #expect(model.delivery.entries.count == 5)
    press(&model, KeyPress(.enter))
    #expect(model.session.overlay == nil && model.delivery.filter == "batch 503")
    #expect(lines(model).contains { $0.contains("/ batch 503  5 of 18") })
    press(&model, KeyPress(.escape))
    #expect(model.delivery.filter.isEmpty && model.delivery.entries.count == 18)
    press(&model, KeyPress("/"))
    type(&model, "wizard")
    #expect(lines(model).contains { $0.contains("nothing matches \"wizard\"") })
    press(&model, KeyPress(.escape))
    #expect(model.delivery.filter.isEmpty)
  }

  @Test("Enter opens an entry, Enter again asks for its line; Esc closes it, and so does q")
  func opening() throws {
    var model = try outage()
    press(&model, KeyPress(.down), KeyPress(.enter))
    #expect(model.delivery.isOpen)
    let entry = try #require(model.deliveryScreen.selectedEntry)
    guard case .batch(let batch) = entry.entry else {
      Issue.record("not a batch")
      return
    }
    #expect(lines(model).contains { $0.contains(batch.first) && $0.contains(batch.last) })
    guard case .findLine(let query) = press(&model, KeyPress(.enter)).first else {
      Issue.record("no line was asked for")
      return
    }
    #expect(query.time == entry.time && query.identity.name == "batch")
    #expect(query.holding == ["\"sequence\":5"])
    let line = RawLine(source: "a.jsonl", line: 7, offset: 123, text: "{}")
    _ = update(&model, .line(line, query))
    #expect(lines(model).contains { $0.contains("line 7") })
    press(&model, KeyPress(.escape))
    #expect(model.session.overlay == nil && model.delivery.isOpen)
    press(&model, KeyPress(.escape))
    #expect(!model.delivery.isOpen)
    press(&model, KeyPress(.enter), KeyPress("q"))
    #expect(!model.delivery.isOpen && model.screen == "delivery")
  }

  @Test("the line of a batch is found in its file among others of the same moment")
  func line() throws {
    let path = NSTemporaryDirectory() + "delivery-line-\(UUID().uuidString).jsonl"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var bytes: [UInt8] = []
    let entries = try DeliveryFixture.entries("endpoint-outage")
    for entry in entries { try LineEncoder.append(entry, to: &bytes) }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    var model = try outage()
    press(&model, KeyPress("["), KeyPress(.enter))
    guard case .findLine(let query) = press(&model, KeyPress(.enter)).first else {
      Issue.record("no line was asked for")
      return
    }
    let found = try #require(LineSearch(path: path, query: query).find())
    let batch = try #require(
      try entries.first {
        try $0.metric == AnyMetric(DeliveryMetrics.batch) && $0.decode(DeliveryBatch.self).sequence == 5
      })
    var line: [UInt8] = []
    try LineEncoder.append(batch, to: &line)
    #expect(found.text + "\n" == String(decoding: line, as: UTF8.self))
  }

  @Test("y copies the selected entry, or all about it; Y copies the command that draws the screen")
  func copying() throws {
    var model = try outage()
    let row = "20:15:47.224 breaker  open for 44s"
    #expect(press(&model, KeyPress("y")) == [.copy(row)])
    press(&model, KeyPress(.enter))
    guard case .copy(let text) = press(&model, KeyPress("y")).first else {
      Issue.record("nothing is copied")
      return
    }
    #expect(text.hasPrefix(row + "\nbreaker: open for 44s\nfailures: "))
    press(&model, KeyPress(.escape), KeyPress("["))
    #expect(
      press(&model, KeyPress("Y")) == [
        .copy(
          "mistertop snapshot --screen delivery --size 120x36 --at \(model.session.edge) engine.jsonl")
      ])
  }

  @Test("a click selects an entry, a second one opens it")
  func mouse() throws {
    var model = try outage()
    let area = model.deliveryScreen.layout.timelineList
    func click(_ row: Int) {
      let place = Position(x: area.x + 4, y: area.y + row)
      _ = update(&model, .input(.mouse(MouseEvent(.press, button: .left, at: place))))
    }
    click(2)
    #expect(model.delivery.selection == 16 && !model.delivery.isOpen)
    click(2)
    #expect(model.delivery.isOpen)
  }

  @Test(
    "a memory queue above its limit says what waits for the disk, at any size",
    arguments: [(120, 36), (80, 24)])
  func parked(size: (width: Int, height: Int)) throws {
    let model = try DeliveryFixture.model(size.width, size.height, "full-disk", after: 20)
    #expect(lines(model).contains { $0.contains("108, 58 wait for disk") })
    #expect(!lines(model).contains { $0.contains("108 of 50") })
  }

  // MARK: Driving

  /// The keys that become orders, each with its order.
  private static let orders: [(KeyPress, SimulationOrder<DeliverySimulated>)] = [
    (KeyPress(" "), .toggleRunning), (KeyPress("."), .step(branch: 0)), (KeyPress("<"), .changeSpeed(by: -1)),
    (KeyPress(">"), .changeSpeed(by: 1)), (KeyPress("r"), .perform(.flush, branch: 0)),
    (KeyPress("A"), .perform(.background, branch: 0)), (KeyPress("K"), .perform(.kill, branch: 0)),
    (KeyPress("X"), .toggleFault(.offline, branch: 0)),
    (KeyPress("%"), .changeLikelihood(.latency, branch: 0)),
    (KeyPress("w"), .changeScope(.latency, branch: 0)), (KeyPress("u"), .undoFault(branch: 0)),
  ]

  @Test("keys become orders to the simulation", arguments: orders)
  func order(key: KeyPress, order: SimulationOrder<DeliverySimulated>) throws {
    var model = try outage(isDriven: true)
    #expect(press(&model, key) == [.toClient(order)])
  }

  @Test("each fault has its key behind f, f0 switches all off; R asks before it resets")
  func faults() throws {
    var model = try outage(isDriven: true)
    for (fault, key) in zip(EndpointFault.allCases, "123456789abcdefgh") {
      #expect(press(&model, KeyPress("f"), KeyPress(key)) == [.toClient(.toggleFault(fault, branch: 0))])
      #expect(model.delivery.fault == fault && model.delivery.pane == .faults)
    }
    #expect(press(&model, KeyPress("f"), KeyPress("0")) == [.toClient(.perform(.clearFaults, branch: 0))])
    #expect(press(&model, KeyPress("R"), KeyPress("n")).isEmpty)
    #expect(press(&model, KeyPress("R"), KeyPress("y")) == [.toClient(.perform(.reset, branch: 0))])
    model.delivery.fault = .latency
    #expect(press(&model, KeyPress(.right)) == [.toClient(.adjustFault(.latency, steps: 1, branch: 0))])
    #expect(press(&model, KeyPress(.enter)) == [.toClient(.toggleFault(.latency, branch: 0))])
  }

  @Test("a lists what can be done; a number makes so many events")
  func acts() throws {
    var model = try outage(isDriven: true)
    press(&model, KeyPress("a"))
    type(&model, "track 25")
    #expect(
      press(&model, KeyPress(.enter)) == [
        .toClient(.perform(.event(SimulatedEvent(.track, count: 25)), branch: 0))
      ])
  }

  @Test("a killed client is started by the same key, and nothing is asked of it meanwhile")
  func killed() throws {
    var model = try DeliveryFixture.model(120, 36, "killed-offline", after: 15, isDriven: true)
    #expect(press(&model, KeyPress("K")) == [.toClient(.perform(.start, branch: 0))])
    #expect(press(&model, KeyPress("R")).isEmpty)
    #expect(model.session.toast?.text.contains("K starts it") == true)
  }

  @Test("what was in memory of a killed process does not wait any more, and nothing is tried")
  func lost() throws {
    let (before, after) = (
      try DeliveryFixture.model(120, 36, "killed-offline", after: 8.01),
      try DeliveryFixture.model(120, 36, "killed-offline", after: 15)
    )
    #expect(before.delivery.engine.waiting == 254 && before.delivery.engine.memory == 4)
    #expect(after.delivery.engine.waiting == 250 && after.delivery.engine.memory == 0)
    #expect(after.delivery.engine.nextAttempt == nil && after.delivery.engine.oldest == nil)
    #expect(before.delivery.engine.drops.isEmpty && after.delivery.engine.drops == [ClientState.killed: 4])
    #expect(lines(after).joined().contains("were dropped with the process"))
  }

  @Test("B begins another branch with one change, W writes the session, S plays a scenario")
  func branching() throws {
    var model = try outage(isDriven: true)
    let step = try #require(model.delivery.engine.simulation?.step)
    press(&model, KeyPress("B"))
    type(&model, "breaker.base 30")
    var constants = DeliveryConstants()
    constants.breakerSeconds = 30
    #expect(
      press(&model, KeyPress(.enter)) == [
        .toClient(.branch(from: 0, step: step, change: .configure(constants)))
      ])
    press(&model, KeyPress("W"))
    type(&model, "Outage")
    #expect(
      press(&model, KeyPress(.enter)) == [.toClient(.writeTest(name: "Outage", branch: 0, since: nil))])
    press(&model, KeyPress("S"))
    type(&model, "tunnel")
    #expect(press(&model, KeyPress(.enter)) == [.toClient(.play(scenario: "tunnel"))])
  }

  @Test("in another program's file the driving keys say why they do nothing")
  func recorded() throws {
    var model = try outage()
    for key in ["r", "A", "K", "a", "X", "f", "B", "W", "S", "<"] {
      #expect(press(&model, KeyPress(Character(key))).isEmpty)
      #expect(model.session.toast?.text.contains("another program runs this simulation") == true, "\(key)")
    }
  }
}
