import Foundation
import TestSupport
import Testing

/// Everything that can be pressed, turned and dragged, in a real terminal.
@Suite("The mouse and the keys in tmux", .serialized)
struct MouseEndToEndTests {
  private let tmux: Tmux
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let planted = PlantedIncidents(seed: 5, length: 1500)
    let path = try folder.write(planted.lines(from: Fixture.longAgo).joined(), to: "app.jsonl")
    tmux = try Tmux(
      width: 120, height: 36, command: "\(try Shell.program) \"\(path)\"",
      environment: ["TZ": "UTC", "XDG_CACHE_HOME": folder.path("cache")])
    try tmux.waitUntil("what is wrong") { $0[1].contains("▌ app.metric") }
  }

  /// Where a text stands, its first column and row from 1.
  private func place(of text: String, from first: Int = 0) throws -> (column: Int, row: Int) {
    let rows = try tmux.waitUntil("'\(text)'") { $0.dropFirst(first).contains { $0.contains(text) } }
    for (index, row) in rows.enumerated().dropFirst(first) {
      if let range = row.range(of: text) {
        return (row.distance(from: row.startIndex, to: range.lowerBound) + 1, index + 1)
      }
    }
    throw Tmux.Failure(description: "no '\(text)'")
  }

  /// A terminal's bytes for a mouse event.
  private func send(_ button: Int, _ place: (column: Int, row: Int), isRelease: Bool = false) throws {
    try tmux.paste("\u{1B}[<\(button);\(place.column);\(place.row)\(isRelease ? "m" : "M")")
  }

  private func click(_ text: String, from first: Int = 0) throws {
    let place = try place(of: text, from: first)
    try send(0, place)
    try send(0, place, isRelease: true)
  }

  @Test func `Tabs, help, the hints of the last row and the rail can be pressed`() throws {
    for (tab, shown) in [
      ("2 Hist", "samples in view"), ("3 Bins", "BUCKET"), ("4 Sync", "No sync engine"),
      ("5 Deliv", "No delivery client"), ("1 Live", " WHY "),
    ] {
      try click(tab)
      try tmux.waitFor(shown)
    }
    try click("? help")
    try tmux.waitFor("› Keys")
    try tmux.type("Escape")
    try tmux.waitUntil("no list") { !$0.contains { $0.contains("› Keys") } }
    try click("/ filter", from: 35)
    try tmux.waitFor("Tab completes")
    try tmux.type("Escape")
    try tmux.waitUntil("no prompt") { $0[35].contains("/ filter") }
    try send(0, (40, 35))
    try tmux.waitUntil("a moment of the past") { $0[0].contains("‖") }
  }

  @Test func `Rows are selected, the wheel moves them, and over the chart it zooms`() throws {
    let rows = try tmux.screen()
    let names = rows.compactMap { $0.firstMatch(of: /^ [› ](app\.metric\d+)/)?.1 }.map(String.init)
    let name = try #require(names.dropFirst(3).first)
    try click(name, from: 3)
    try tmux.waitFor(" ›\(name)")
    try send(65, (10, 8))
    try tmux.waitUntil("another row") { !$0.contains { $0.contains(" ›\(name) ") } }
    let window = try place(of: " zoom ")
    let before = try tmux.screen()[window.row - 1]
    try send(64, (window.column, window.row + 5))
    try tmux.waitUntil("another window") { $0[window.row - 1] != before }
  }

  @Test func `A range is dragged in the chart of the history, and Enter zooms to it`() throws {
    try tmux.type("2")
    func window(_ rows: [String]) -> Substring? { rows[2].firstMatch(of: #/ - .*?\)/#)?.0 }
    let whole = try #require(window(try tmux.waitUntil("the chart") { window($0) != nil }))
    try send(0, (60, 8))
    for column in stride(from: 61, through: 90, by: 5) { try send(32, (column, 8)) }
    try send(0, (90, 8), isRelease: true)
    // The figures come a moment later than the range, and must leave the key its room.
    try tmux.waitUntil("the figures and the key") {
      $0.contains { $0.contains(" p50 ") && $0.contains("Enter zooms") }
    }
    try tmux.type("Enter")
    try tmux.waitUntil("the range alone") { window($0).map { $0 != whole } ?? false }
    try tmux.type("q")
    try tmux.waitUntil("the window before") { window($0) == whole }
  }

  /// The keys on the page of keys, but for those that leave.
  private static let keys =
    [
      "Up", "Down", "PPage", "NPage", "C-u", "C-d", "C-b", "C-f", "Home", "End", "Left", "Right", "S-Left",
      "S-Right",
    ]
    + ["M-Left", "M-Right", "Tab", "BTab", "Enter", "Space", "C-l", "C-s", "DC", "F1", "F6", "BSpace"]
    + "abcdefghijklmnoprstuvwxyzABCEFGHIJKLMNOPRSTUVWXYZ!%&*+,-./<=>?[]_~'".map(String.init)

  @Test(arguments: 1...5)
  func `Every key on every screen is answered, and none ends the program`(screen: Int) throws {
    // A third of the keys on each screen in every run, so that each key comes at least once.
    for (number, key) in Self.keys.enumerated()
    where number % trials(3, long: 1) == screen % trials(3, long: 1) {
      try tmux.type("\(screen)")
      // `o` would lend the terminal to an editor.
      if key == "o" { continue }
      try tmux.type(key)
      try tmux.type("Escape", "Escape", "Escape")
    }
    try tmux.type("1", "?")
    try tmux.waitFor("› Keys")
    try tmux.type("Escape")
    try tmux.waitUntil("no list") { !$0.contains { $0.contains("› Keys") } }
    try tmux.type("Q")
    try tmux.waitFor("[ended 0]")
  }
}
