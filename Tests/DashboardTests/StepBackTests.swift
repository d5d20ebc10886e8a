import History
import Platform
import TerminalUI
import Testing

@testable import DashboardCore
@testable import EngineScreens
@testable import HistogramScreen
@testable import HistoryScreen
@testable import HostsScreen
@testable import LiveScreen

/// Whatever narrows the view is one step, which `q`, Esc and Backspace take back.
@Suite("One step back")
struct StepBackTests {
  init() { adoptUTF8() }

  enum Start: String, CaseIterable, Sendable {
    case live, history, histogram, sync, delivery, hosts

    func model(_ width: Int = 120, _ height: Int = 36) throws -> Model {
      switch self {
      case .live: HistoryFixture.model(width, height, keys: [KeyPress("1")])
      case .history: HistoryFixture.model(width, height)
      case .histogram: HistogramFixture.model(width, height)
      case .sync:
        SyncFixture.model(
          width, height, feed: try SyncFixture.feed(try SyncFixture.entries("rate-limit-storm")))
      case .delivery: try DeliveryFixture.model(width, height, "endpoint-outage", after: 75)
      case .hosts: HostsFixture.model(width, height)
      }
    }

    func press(_ key: KeyPress, _ model: inout Model) -> [Effect] {
      switch self {
      case .histogram: HistogramFixture.press(key, &model)
      case .hosts: HostsFixture.press(key, &model)
      case .live, .history, .sync, .delivery: HistoryFixture.press(key, &model)
      }
    }
  }

  /// Something that narrows the view.
  struct Step: Sendable, CustomTestStringConvertible {
    let start: Start
    let name: String
    let keys: [KeyPress]
    var size = Size(width: 120, height: 36)
    /// True if the model is in it.
    let isIn: @Sendable (Model) -> Bool

    var testDescription: String { "\(start.rawValue): \(name)" }
  }

  private static func keys(_ text: String) -> [KeyPress] { text.map { KeyPress($0) } }

  private static let everywhere: [Step] = Start.allCases.flatMap { start in
    [
      Step(start: start, name: "past", keys: [KeyPress("Z")]) { $0.session.isFrozen },
      Step(start: start, name: "maximised", keys: [KeyPress("z")]) { model in
        switch start {
        // It has one pane.
        case .hosts: false
        case .live: model.live.isMaximised
        case .history: model.history.isMaximised
        case .histogram: model.histogram.isMaximised
        case .sync: model.sync.isMaximised
        case .delivery: model[DeliveryScreen.self].isMaximised
        }
      },
      Step(start: start, name: "description", keys: [KeyPress("D")]) { $0.session.overlay != nil },
    ]
      + (start == .live
        ? [] : [Step(start: start, name: "another screen", keys: []) { $0.screen == start.rawValue }])
  }.filter { $0.start != .hosts || $0.name != "maximised" }

  private static let own: [Step] = [
    Step(start: .live, name: "filter", keys: keys("/push") + [KeyPress(.enter)]) { !$0.live.filter.isEmpty },
    Step(start: .live, name: "samples of a metric", keys: [KeyPress(.enter)]) { $0.screen == "history" },
    Step(start: .live, name: "histogram of a metric", keys: keys("i")) { $0.screen == "histogram" },
    Step(start: .history, name: "selection", keys: [KeyPress(.tab), KeyPress("v"), KeyPress(.left)]) {
      $0.history.selection != nil
    },
    Step(
      start: .history, name: "zoom to a range",
      keys: [KeyPress(.tab), KeyPress("v")] + Array(repeating: KeyPress(.left), count: 5) + [KeyPress(.enter)]
    ) { !$0.history.zooms.isEmpty },
    Step(start: .history, name: "filter", keys: keys("/push") + [KeyPress(.enter)]) {
      !$0.history.filter.isEmpty
    },
    Step(
      start: .history, name: "tree over all else", keys: [KeyPress(.tab)],
      size: Size(width: 80, height: 24)
    ) { $0.history.pane == .tree },
    Step(
      start: .histogram, name: "one group",
      keys: Array(repeating: KeyPress(.tab), count: 4) + [KeyPress(.enter)]
    ) { !$0.histogram.options.sides.only.isEmpty },
    Step(start: .histogram, name: "samples of a bin", keys: [KeyPress(.down), KeyPress(.enter)]) {
      $0.screen == "history"
    },
    Step(start: .sync, name: "filter", keys: keys("/429") + [KeyPress(.enter)]) { !$0.sync.filter.isEmpty },
    Step(start: .sync, name: "entry", keys: [KeyPress(.down), KeyPress(.enter)]) { $0.sync.isOpen },
    Step(start: .delivery, name: "filter", keys: keys("/batch") + [KeyPress(.enter)]) {
      !$0[DeliveryScreen.self].filter.isEmpty
    },
    Step(start: .delivery, name: "entry", keys: [KeyPress(.down), KeyPress(.enter)]) {
      $0[DeliveryScreen.self].isOpen
    },
    Step(start: .hosts, name: "one host", keys: [KeyPress(.enter)]) { $0.session.scope != .all },
    Step(start: .hosts, name: "filter", keys: keys("/web-1") + [KeyPress(.enter)]) {
      !$0.hostsScreen.state.rowFilter.isEmpty
    },
    Step(start: .hosts, name: "histogram against all others", keys: keys("i")) { $0.screen == "histogram" },
  ]

  private static let back = [KeyPress("q"), KeyPress(.escape), KeyPress(.backspace), KeyPress(.function(10))]

  @Test("every step is taken back by one press of any key for that", arguments: everywhere + own, back)
  func oneStep(step: Step, key: KeyPress) throws {
    var model = try step.start.model(step.size.width, step.size.height)
    for key in step.keys { _ = step.start.press(key, &model) }
    try #require(step.isIn(model))
    #expect(!step.start.press(key, &model).contains(.quit))
    #expect(!step.isIn(model))
  }

  @Test(
    "q ends on the first screen, live and with nothing open, before it quits", arguments: everywhere + own)
  func quits(step: Step) throws {
    var model = try step.start.model(step.size.width, step.size.height)
    for key in step.keys + [KeyPress("Z")] { _ = step.start.press(key, &model) }
    var presses = 0
    while !step.start.press(KeyPress("q"), &model).contains(.quit) {
      presses += 1
      try #require(presses < 10)
    }
    #expect(model.screen == "live" && !model.session.isFrozen && model.session.overlay == nil)
    #expect(model.live.filter.isEmpty && !model.live.isMaximised)
  }

  @Test("Esc never quits, and Backspace says that there is nothing to go back to", arguments: Start.allCases)
  func nothing(start: Start) throws {
    var model = try start.model()
    for _ in 0..<10 { #expect(!start.press(KeyPress(.escape), &model).contains(.quit)) }
    #expect(model.screen == "live")
    #expect(start.press(KeyPress(.backspace), &model).isEmpty)
    #expect(model.session.toast?.text == "Back: there is nothing to go back to")
  }
}
