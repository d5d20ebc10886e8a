import Codecs
import Foundation
import Platform
import TerminalUI
import TestScreens
import Testing

@testable import Dashboard
@testable import DashboardCore

@Suite("The list of screens")
struct ScreenListTests {
  init() { adoptUTF8() }

  private func model(_ screens: [any Screen]) -> Model {
    Model(
      size: Size(width: 120, height: 36), now: LiveFixture.now, zone: .utc,
      feed: LiveFixture.shared,
      screens: screens)
  }

  private func press(_ keys: [KeyPress], _ model: inout Model) -> [Effect] {
    keys.flatMap { update(&model, .input(.key($0))) }
  }

  @Test("every target of a screen has its line in the list, under a name of its own")
  func targets() throws {
    let sources = URL(fileURLWithPath: #filePath)
      .appendingPathComponent("../../../Sources").standardizedFileURL
    let targets = try FileManager.default.contentsOfDirectory(atPath: sources.path)
      .filter { $0.hasSuffix("Screen") }.map { $0.dropLast("Screen".count) }
    let engines = try FileManager.default.contentsOfDirectory(atPath: sources.path + "/EngineScreens")
      .filter { $0 != "Shared" }
    let types = ScreenList.all.map { String(describing: type(of: $0)) }
    #expect(types.sorted() == (targets.map(String.init) + engines).map { $0 + "Screen" }.sorted())
    let names = ScreenList.titles.map(\.name)
    #expect(names.count == Set(names).count)
  }

  @Test("no key of a screen is used twice, and each title is said once")
  func keys() {
    for table in model(ScreenList.all + [TallyScreen()]).tables {
      let keys = table.actions.flatMap(\.description.keys)
      #expect(keys.count == Set(keys).count)
    }
  }

  @Test("one more screen has its tab, its keys, its help and its way back")
  func oneMore() {
    var model = model(ScreenList.all + [TallyScreen()])
    let tab = ScreenList.titles.count
    let key = KeyPress(ScreenTabs.key(of: tab))
    _ = press([key], &model)
    #expect(model.screen == "tally")
    #expect(view(model).buffer.lines[0].contains(" \(ScreenTabs.key(of: tab)) Tall "))
    // Its own keys, what several screens share, and what all have.
    _ = press([KeyPress("-")], &model)
    #expect(model.session.toast?.text == "Take one back: nothing is counted")
    _ = press([KeyPress("+"), KeyPress("+"), KeyPress(.down), KeyPress(.up), KeyPress("+")], &model)
    #expect(model[TallyScreen.self].count == 3)
    #expect(view(model).buffer.lines.contains { $0.contains("counted: 3") })
    _ = press([KeyPress(.enter)], &model)
    #expect(model.session.toast?.text == "3 counted")
    _ = press([KeyPress("?")], &model)
    let help = view(model).buffer.lines.joined(separator: "\n")
    #expect(help.contains("Count one") && help.contains("The Live screen"))
    _ = press([KeyPress(.escape), KeyPress("q")], &model)
    #expect(model.screen == ScreenList.titles[0].name)
    // Its state is there when it is shown again, and it can be the only screen.
    _ = press([key], &model)
    #expect(model[TallyScreen.self].count == 3)
    var alone = self.model([TallyScreen()])
    _ = press([KeyPress("+")], &alone)
    #expect(view(alone).buffer.lines.contains { $0.contains("counted: 1") })
    #expect(press([KeyPress("q")], &alone) == [.quit])
  }
}
