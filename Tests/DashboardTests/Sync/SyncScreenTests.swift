import Foundation
import MisterMetricsCore
import Platform
import Sync
import TerminalUI
import Testing

@testable import DashboardCore
@testable import EngineScreens

@Suite("The Sync screen")
struct SyncScreenTests {
  init() { adoptUTF8() }

  /// A scenario in which the engine comes into a state.
  private static let scenes: [(SyncState.Kind, String)] = [
    (.idle, "healthy-day"), (.syncing, "flaky-push"), (.pulling, "healthy-day"),
    (.rateLimited, "rate-limit-storm"),
    (.error, "server-outage"),
  ]

  private func model(
    _ state: SyncState.Kind, _ name: String, _ width: Int, _ height: Int, depth: ColorDepth = .none
  ) throws
    -> Model
  {
    let entries = try SyncFixture.entries(name)
    let moment = try SyncFixture.moment(state, in: entries, number: 1)
    let until = entries.filter { Timestamp($0.timestamp) <= moment }
    return SyncFixture.model(width, height, depth: depth, feed: try SyncFixture.feed(until))
  }

  @Test("pictures of each state at the five sizes", arguments: scenes)
  func pictures(state: SyncState.Kind, name: String) throws {
    for (width, height) in LivePictureTests.sizes {
      let frame = view(try model(state, name, width, height))
      try expectGolden(
        frame.buffer.lines.map { $0 + "\n" }.joined(), "sync-\(state.rawValue)-\(width)x\(height)")
    }
  }

  @Test("with colour, each look as a letter; in ASCII")
  func looks() throws {
    let coloured = view(try model(.rateLimited, "rate-limit-storm", 120, 36, depth: .trueColor))
    try expectGolden(coloured.buffer.styledPicture, "sync-rateLimited-120x36-colour")
    let entries = try SyncFixture.entries("rate-limit-storm")
    let ascii = SyncFixture.model(120, 36, glyphs: .ascii, feed: try SyncFixture.feed(entries))
    let picture = view(ascii).buffer.lines.map { $0 + "\n" }.joined()
    try expectGolden(picture, "sync-120x36-ascii")
  }

  @Test("no width from 20 to 240 and no height from 5 to 80 cuts or wraps anything beyond the screen")
  func everySize() throws {
    let feed = try SyncFixture.feed(try SyncFixture.entries("dead-letters"))
    var model = SyncFixture.model(20, 5, feed: feed)
    for width in stride(from: 20, through: 240, by: 7) {
      for height in stride(from: 5, through: 80, by: 9) {
        _ = update(&model, .input(.resize(Size(width: width, height: height))))
        let lines = view(model).buffer.lines
        #expect(lines.count == height)
        #expect(lines.joined().contains("?"))
      }
    }
  }

  @Test("a file without an engine says so and what to do")
  func empty() throws {
    let picture = view(SyncFixture.model(80, 24, feed: LiveFixture.shared)).buffer.lines.joined(
      separator: "\n")
    #expect(picture.contains("No sync engine in this file"))
    #expect(picture.contains("mistertop simulate"))
  }

  // MARK: Keys

  private func press(_ model: inout Model, _ keys: KeyPress...) {
    for key in keys { _ = update(&model, .input(.key(key))) }
  }

  private func storm() throws -> Model {
    SyncFixture.model(120, 36, feed: try SyncFixture.feed(try SyncFixture.entries("rate-limit-storm")))
  }

  @Test("4 shows it, q goes back to Live")
  func tabs() throws {
    var model = try storm()
    #expect(model.screen == "sync")
    press(&model, KeyPress("q"))
    #expect(model.screen == "live")
    press(&model, KeyPress("4"))
    #expect(model.shownTab == " 4 Sync ")
  }

  @Test("arrows up and down, g and G select entries; Enter goes to the moment of one and shows all about it")
  func selection() throws {
    var model = try storm()
    let all = model.sync.entries
    press(&model, KeyPress(.down), KeyPress("j"))
    #expect(model.sync.selection == all[all.count - 3].number)
    press(&model, KeyPress(.up))
    #expect(model.sync.selection == all[all.count - 2].number)
    press(&model, KeyPress("g"))
    #expect(model.sync.selection == nil)
    press(&model, KeyPress(.pageDown))
    let chosen = try #require(model.syncScreen.selectedEntry)
    press(&model, KeyPress(.enter))
    #expect(model.session.isFrozen && model.sync.isOpen)
    #expect(model.session.edge == chosen.time && model.syncScreen.selectedEntry == chosen)
    press(&model, KeyPress(.escape))
    #expect(!model.sync.isOpen && model.session.isFrozen)
    press(&model, KeyPress("G"))
    #expect(!model.session.isFrozen && model.sync.entries.count == all.count)
  }

  @Test("arrows left and right go from decision to decision, and past the last one to the live end")
  func travelling() throws {
    var model = try storm()
    let times = model.sync.engine.transitions.map(\.time)
    press(&model, KeyPress(.left))
    #expect(model.session.edge == times.last { $0 < model.session.now })
    press(&model, KeyPress("h"))
    let second = model.session.edge
    #expect(times.contains(second))
    press(&model, KeyPress(.right))
    #expect(model.session.edge > second)
    press(&model, KeyPress("l"), KeyPress("l"), KeyPress("l"))
    #expect(!model.session.isFrozen)
    press(&model, KeyPress(" "))
    #expect(model.session.isFrozen)
    press(&model, KeyPress("F"))
    #expect(!model.session.isFrozen)
  }

  @Test("y copies the selected entry; a click selects one; keys of other screens do nothing here")
  func copying() throws {
    var model = try storm()
    let effects = update(&model, .input(.key(KeyPress("y"))))
    let sentence = model.syncScreen.sentence.wordings[0]
    #expect(effects == [.copy(sentence + "\n" + model.syncScreen.entryLines.joined(separator: "\n"))])
    #expect(model.syncScreen.entryLines.last?.hasSuffix("pulling -> idle  page applied") == true)
    let area = model.syncScreen.layout.timelineList
    _ = update(
      &model, .input(.mouse(MouseEvent(.press, button: .left, at: Position(x: area.x + 4, y: area.y + 2)))))
    let all = model.sync.entries
    #expect(model.sync.selection == all[all.count - 3].number)
    model.session.toast = nil
    let before = view(model).buffer.lines
    press(
      &model, KeyPress("+"), KeyPress("s"), KeyPress("I"), KeyPress("n"), KeyPress("v"),
      KeyPress("J"))
    #expect(model.session.toast?.text == "J does nothing here: ? lists the keys")
    model.session.toast = nil
    #expect(view(model).buffer.lines == before)
  }
}
