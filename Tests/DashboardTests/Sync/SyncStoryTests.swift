import Aggregation
import Foundation
import MisterMetricsCore
import Platform
import SimulationKit
import Sync
import SyncSimulation
import TerminalUI
import Testing

@testable import DashboardCore
@testable import EngineScreens

@Suite("The story of a scenario on the Sync screen")
struct SyncStoryTests {
  private static let begins = "The storm begins: every push is answered with 429."

  private func model(_ width: Int, _ height: Int, at seconds: Double? = nil) throws -> Model {
    let entries = try SyncFixture.entries("rate-limit-storm")
    var model = SyncFixture.model(width, height, feed: try SyncFixture.feed(entries))
    if let seconds {
      let start = try #require(entries.first).timestamp
      model.session.freeze(at: Timestamp(start + seconds))
      _ = update(&model, [])
    }
    return model
  }

  @Test(
    "its caption stands below the sentence until the next one, at every size with room for it",
    arguments: [Size(width: 200, height: 60), Size(width: 120, height: 36), Size(width: 80, height: 24)])
  func caption(size: Size) throws {
    let lines = view(try model(size.width, size.height, at: 5)).buffer.lines
    let row = try #require(lines.firstIndex { $0.contains("story  " + Self.begins) })
    #expect(row <= 4)
    let later = view(try model(size.width, size.height, at: 7)).buffer.lines
    #expect(!later.contains { $0.contains(Self.begins) && $0.contains("story  ") && !$0.contains(":") })
    #expect(later.joined().contains("The third 429 in a row opens the breaker"))
  }

  @Test("where room is short the sentence stays and the story goes", arguments: [40, 20])
  func short(width: Int) throws {
    let lines = view(try model(width, width == 40 ? 12 : 5, at: 5)).buffer.lines
    #expect(!lines.joined().contains("storm begins"))
  }

  @Test("the timeline has all of them, and / story lists them")
  func listed() throws {
    var model = try model(120, 36)
    for letter in "/story" { _ = update(&model, .input(.key(KeyPress(letter)))) }
    let told = model.sync.entries.compactMap { if case .story(let text) = $0.entry { text } else { nil } }
    #expect(told.count == model.sync.entries.count && told.count == 7)
    #expect(told.contains(Self.begins))
    let last = try #require(model.sync.entries.last)
    let line = last.entry.lineQuery(at: last.time)
    #expect(line.identity.name == "caption")
  }

  @Test("an app's file has no story, and its room goes to the rest")
  func none() throws {
    let entries = try SyncFixture.entries("rate-limit-storm").filter { $0.metric.name != "caption" }
    let picture = view(SyncFixture.model(120, 36, feed: try SyncFixture.feed(entries))).buffer.lines
    #expect(!picture.joined().contains(" story"))
  }

  @Test("a caption of another program is cut to what fits, without control characters")
  func foreign() throws {
    var engine = EngineState()
    let text = "\u{1B}[2J" + String(repeating: "wort ", count: 100)
    let json = Data(#"{"branch":0,"text":\#(JSON5Text.quoted(text))}"#.utf8)
    let caption = try JSONDecoder().decode(SyncCaption.self, from: json)
    engine.handle(.caption(caption), at: Timestamp(0))
    #expect(engine.story?.count == TimedAct.longestCaption + 1)
  }
}
