import Foundation
import MisterMetricsCore
import Platform
import Scenarios
import Sync
import SyncSimulation
import TerminalUI
import Testing

@testable import DashboardCore
@testable import EngineScreens

/// The keys of the Sync screen over a simulation that this program plays.
@Suite("Driving the engine by keys")
struct SyncDriveTests {
  init() { adoptUTF8() }

  /// The Sync screen in the middle of a storm, driven.
  private func model(_ width: Int = 120, _ height: Int = 36, name: String = "rate-limit-storm") throws
    -> Model
  {
    try SyncFixture.driven(width, height, entries: SyncFixture.entries(name))
  }

  @discardableResult
  private func press(_ model: inout Model, _ keys: KeyPress...) -> [Effect] {
    keys.flatMap { update(&model, .input(.key($0))) }
  }

  private func type(_ model: inout Model, _ text: String) -> [Effect] {
    text.flatMap { press(&model, KeyPress($0)) }
  }

  private func footer(_ model: Model) -> String { view(model).buffer.lines.last ?? "" }

  // MARK: Orders

  /// The order each key gives at once.
  private static let orders: [(String, KeyPress, SimulationOrder<SyncSimulated>)] = [
    ("Space runs or pauses", KeyPress(" "), .toggleRunning),
    ("so does p", KeyPress("p"), .toggleRunning),
    ("so does Z", KeyPress("Z"), .toggleRunning),
    (". takes one step", KeyPress("."), .step(branch: 0)),
    ("< is slower", KeyPress("<"), .changeSpeed(by: -1)),
    ("> is faster", KeyPress(">"), .changeSpeed(by: 1)),
    ("r requests a sync", KeyPress("r"), .perform(.requestSync, branch: 0)),
    ("b resets the breaker", KeyPress("b"), .perform(.resetBreaker, branch: 0)),
    ("R forces a full resync", KeyPress("R"), .perform(.forceResync, branch: 0)),
    ("X goes offline or back", KeyPress("X"), .toggleFault(.offline, branch: 0)),
    ("u takes back the last fault", KeyPress("u"), .undoFault(branch: 0)),
    ("% changes how likely a fault is", KeyPress("%"), .changeLikelihood(.latency, branch: 0)),
    ("w changes where a fault strikes", KeyPress("w"), .changeScope(.latency, branch: 0)),
  ]

  @Test("a key is an order", arguments: orders)
  func order(name: String, key: KeyPress, order: SimulationOrder<SyncSimulated>) throws {
    var model = try model()
    #expect(press(&model, key) == [.order(order)], "\(name)")
  }

  @Test("f and its key switch each fault, and 0 switches off all; another key says what is wanted")
  func faults() throws {
    var model = try model()
    for (place, fault) in SimulatedFault.allCases.enumerated() {
      #expect(press(&model, KeyPress("f")).isEmpty)
      #expect(footer(model).contains("fault"))
      let listed = view(model).buffer.lines.contains { $0.contains("\(fault.key) \(fault.shortWords)") }
      #expect(listed, "\(fault)")
      let key = KeyPress(Character(String(place + 1, radix: 16)))
      #expect(press(&model, key) == [.order(.toggleFault(fault, branch: 0))])
      #expect(model.sync.fault == fault && model.sync.pane == .faults && model.session.overlay == nil)
    }
    #expect(press(&model, KeyPress("f"), KeyPress("0")) == [.order(.perform(.clearFaults, branch: 0))])
    #expect(press(&model, KeyPress("f"), KeyPress("z")).isEmpty)
    #expect(model.session.toast?.text == "No such fault: press 1-9 or a-f, or 0 to switch all off")
  }

  @Test("f lists all faults with their keys at every size, and a click on one switches it")
  func faultList() throws {
    for (width, height) in LivePictureTests.sizes where height >= 12 {
      var model = try model()
      _ = update(&model, .input(.resize(Size(width: width, height: height))))
      press(&model, KeyPress("f"))
      let lines = view(model).buffer.lines
      for fault in SimulatedFault.allCases {
        #expect(
          lines.contains { $0.contains("[ ] \(fault.key) ") || $0.contains("[x] \(fault.key) ") }, "\(fault)")
      }
      let row = try #require(lines.lastIndex { $0.contains("] 1 latency") })
      let column = try #require(lines[row].firstRange(of: "1 latency"))
      let position = Position(x: lines[row][..<column.lowerBound].count, y: row)
      let effects = update(&model, .input(.mouse(MouseEvent(.press, button: .left, at: position))))
      #expect(effects == [.order(.toggleFault(.latency, branch: 0))] && model.session.overlay == nil)
    }
  }

  @Test("among faults the arrows choose one and its amount, and Enter switches it")
  func amounts() throws {
    var model = try model()
    press(&model, KeyPress(.tab))
    #expect(model.sync.pane == .faults)
    #expect(press(&model, KeyPress(.right)) == [.order(.adjustFault(.latency, steps: 1, branch: 0))])
    #expect(press(&model, KeyPress("h")) == [.order(.adjustFault(.latency, steps: -1, branch: 0))])
    #expect(press(&model, KeyPress(.enter)) == [.order(.toggleFault(.latency, branch: 0))])
    press(&model, KeyPress(.down), KeyPress("j"))
    #expect(model.sync.fault == .dropRequest)
    press(&model, KeyPress("G"))
    #expect(model.sync.fault == .clockSkew)
    press(&model, KeyPress(.up))
    #expect(press(&model, KeyPress(.right)).isEmpty && model.session.toast?.text == "offline has no amount")
  }

  @Test("C asks before it clears the queue")
  func clearing() throws {
    var model = try model()
    #expect(press(&model, KeyPress("C")).isEmpty && footer(model).contains("clear the queue"))
    #expect(press(&model, KeyPress("n")).isEmpty && model.session.overlay == nil)
    #expect(press(&model, KeyPress("C"), KeyPress(.escape)).isEmpty && model.session.overlay == nil)
    #expect(
      press(&model, KeyPress("C"), KeyPress("y")) == [.order(.perform(.clearPending, branch: 0))])
  }

  @Test("in the engine's pane Enter, like z, shows of every event whether it can happen, or why not")
  func engine() throws {
    var model = try model()
    press(&model, KeyPress(.tab), KeyPress(.tab), KeyPress(.tab))
    #expect(model.sync.pane == .engine)
    press(&model, KeyPress(.enter))
    let lines = view(model).buffer.lines
    for event in SyncEvent.Kind.allCases {
      let reason = model.sync.engine.outlook(at: model.syncScreen.engineTime).reason(against: event)
      let expected = event.words.padding(to: 24) + (reason.map { "no: \($0)" } ?? "can happen")
      #expect(lines.contains { $0.contains(expected) }, "\(expected)")
    }
    press(&model, KeyPress(.escape))
    #expect(!model.sync.isMaximised)
  }

  // MARK: Lists

  @Test("a queues a change of any kind, found by typing; a number is how many")
  func changes() throws {
    var model = try model()
    for kind in SyncDomain.sample.kinds {
      for operation in [Mutation.Operation.create, .update, .delete] {
        press(&model, KeyPress("a"))
        _ = type(&model, "\(operation.rawValue) \(kind.name)")
        let change = SimulatedChange(operation, kind: kind.name)
        #expect(press(&model, KeyPress(.enter)) == [.order(.perform(.change(change), branch: 0))])
      }
    }
    press(&model, KeyPress("a"))
    _ = type(&model, "create event 25")
    let many = SimulatedChange(.create, kind: "event", count: 25)
    #expect(press(&model, KeyPress(.enter)) == [.order(.perform(.change(many), branch: 0))])
    press(&model, KeyPress("a"))
    _ = type(&model, "latest")
    #expect(press(&model, KeyPress(.enter)) == [.order(.perform(.skipToLatest, branch: 0))])
    press(&model, KeyPress("a"))
    _ = type(&model, "no such thing")
    #expect(press(&model, KeyPress(.enter)).isEmpty && model.session.overlay == nil)
  }

  @Test("S lists the scenarios and plays the chosen one")
  func scenarios() throws {
    var model = try model()
    press(&model, KeyPress("S"))
    let picture = view(model).buffer.lines.joined(separator: "\n")
    #expect(picture.contains("Play a scenario") && picture.contains("flaky-push"))
    _ = type(&model, "offline")
    #expect(press(&model, KeyPress(.enter)) == [.order(.play(scenario: "offline-commute"))])
    press(&model, KeyPress("S"), KeyPress(.down), KeyPress(.down))
    let third = try #require(model.session.scenarios[.sync]?[2].name)
    #expect(press(&model, KeyPress(.enter)) == [.order(.play(scenario: third))])
    #expect(press(&model, KeyPress("S"), KeyPress(.escape)).isEmpty && model.session.overlay == nil)
  }

  // MARK: The past and other futures

  @Test(", goes back from decision to decision, . forward again; nothing is ordered there")
  func steppingBack() throws {
    var model = try model()
    #expect(press(&model, KeyPress(","), KeyPress(",")).isEmpty && model.session.isFrozen)
    let here = model.session.edge
    #expect(press(&model, KeyPress(".")).isEmpty && model.session.edge > here)
    for key in ["r", "b", "R", "X", "u", "a", "f", "C", "%", "w"] {
      #expect(press(&model, KeyPress(Character(key))).isEmpty, "\(key)")
      #expect(
        model.session.overlay == nil
          && model.session.toast?.text.contains("the playhead is in the past") == true)
    }
  }

  @Test("B begins another future at the playhead with one change; the number typed is its value")
  func branching() throws {
    var model = try model()
    press(&model, KeyPress(","), KeyPress(","))
    let step = try #require(model.sync.engine.simulation?.step)
    press(&model, KeyPress("B"))
    _ = type(&model, "threshold 7")
    let effects = press(&model, KeyPress(.enter))
    guard case .simulate(.sync(.branch(from: 0, let at, .configure(let configuration)))) = effects.first
    else {
      Issue.record("no branch: \(effects)")
      return
    }
    #expect(at == step && SyncTuning.threshold.value(in: configuration) == 7)
    #expect(!model.session.isFrozen)
    press(&model, KeyPress("B"))
    _ = type(&model, "with offline")
    let now = try #require(model.sync.engine.simulation?.step)
    #expect(
      press(&model, KeyPress(.enter))
        == [.order(.branch(from: 0, step: now, change: .fault(FaultSetting(.offline))))])
  }

  @Test("Space in the past runs on from there as another future")
  func runningOnFromThere() throws {
    var model = try model()
    press(&model, KeyPress(","), KeyPress(","), KeyPress(","))
    let step = try #require(model.sync.engine.simulation?.step)
    #expect(press(&model, KeyPress(" ")) == [.order(.branch(from: 0, step: step, change: nil))])
    #expect(!model.session.isFrozen && model.sync.awaited == 0)
  }

  // MARK: Tests

  @Test("W writes the session since the last mark, or since another one")
  func writing() throws {
    var model = try model()
    let end = model.syncScreen.engineTime
    press(&model, KeyPress("W"))
    #expect(footer(model).contains("test of the session as"))
    _ = type(&model, "Storm")
    #expect(
      press(&model, KeyPress(.enter)) == [.order(.writeTest(name: "Storm", branch: 0, since: nil))])
    press(&model, KeyPress("m"), KeyPress("b"), KeyPress("W"))
    #expect(footer(model).contains("test of the session since mark b as"))
    _ = type(&model, "Storm")
    #expect(
      press(&model, KeyPress(.enter)) == [.order(.writeTest(name: "Storm", branch: 0, since: end))])
    press(&model, KeyPress("W"))
    #expect(
      press(&model, KeyPress(.enter)).isEmpty
        && model.session.toast?.text.contains("Type a name") == true)
    _ = type(&model, "Storm q")
    #expect(
      press(&model, KeyPress(.enter)).isEmpty && model.session.toast?.text == "There is no mark q")
  }

  @Test(
    "W in an app's file makes a scenario and a test of the record, up to the shown moment",
    arguments: [false, true])
  func writingOfRecord(isApp: Bool) throws {
    let entries = try SyncFixture.entries("rate-limit-storm").filter {
      !isApp || ($0.metric != AnyMetric(SyncMetric.simulation) && $0.metric != AnyMetric(SyncMetric.fault))
    }
    var model = SyncFixture.model(120, 36, feed: try SyncFixture.feed(entries))
    press(&model, KeyPress("W"))
    _ = type(&model, "Storm")
    let effects = press(&model, KeyPress(.enter))
    guard case .write(let files, let words) = try #require(model.doAtOnce(effects).first) else {
      return #expect(Bool(false), "nothing is written")
    }
    #expect(files.map(\.name) == ["Storm.json5", "StormTests.swift"] && words.hasSuffix("all as recorded"))
    let scenario = try Scenario(json5: Data(try #require(files.first).text.utf8))
    #expect(try scenario.differences() == [] && !scenario.expected.isEmpty)
    _ = type(&model, "W1 Storm")
    press(&model, KeyPress("W"))
    _ = type(&model, "no name")
    #expect(press(&model, KeyPress(.enter)).isEmpty)
  }

  // MARK: Where nothing can be driven

  @Test("another program's file shows the controls off, and every key of theirs says why")
  func otherPrograms() throws {
    var model = SyncFixture.model(
      120, 36, feed: try SyncFixture.feed(try SyncFixture.entries("rate-limit-storm")))
    let picture = view(model).buffer.lines.joined(separator: "\n")
    #expect(picture.contains("controls off: another program runs this simulation"))
    for key in [".", "<", ">", "r", "b", "R", "X", "u", "a", "f", "C", "%", "w", "S", "B"] {
      #expect(press(&model, KeyPress(Character(key))).isEmpty, "\(key)")
      #expect(
        model.session.overlay == nil && model.session.toast?.text.contains("another program runs") == true,
        "\(key)")
    }
    #expect(press(&model, KeyPress(" ")).isEmpty && model.session.isFrozen)
  }

  @Test("an app's engine is not driven either")
  func apps() throws {
    let entries = try SyncFixture.entries("flaky-push").filter {
      $0.metric != AnyMetric(SyncMetric.simulation) && $0.metric != AnyMetric(SyncMetric.fault)
    }
    var model = SyncFixture.model(120, 36, feed: try SyncFixture.feed(entries))
    // A screen without faults gives their room to the queue.
    let picture = view(model).buffer.lines
    #expect(!picture.contains { $0.contains("Faults") })
    #expect(picture.contains { $0.hasPrefix("── Queue ") && $0.hasSuffix("──") && !$0.contains("┬") })
    #expect(press(&model, KeyPress("r")).isEmpty)
    #expect(
      model.session.toast?.text
        == "Request a sync: this engine runs in an app; mistertop demo has one you can control")
  }

  @Test("pictures of the driven screen at the five sizes")
  func pictures() throws {
    for (width, height) in LivePictureTests.sizes {
      var model = try model(width, height)
      press(&model, KeyPress("f"), KeyPress("3"))
      model.session.toast = nil
      let lines = view(model).buffer.lines
      try expectGolden(lines.map { $0 + "\n" }.joined(), "sync-driven-\(width)x\(height)")
    }
  }
}
