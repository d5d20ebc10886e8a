import TerminalUI
import TestSupport
import Testing

@testable import DashboardCore

@Suite("What keys mean, and how they are found")
struct KeyMeaningTests {
  /// Keys whose titles differ from screen to screen, and the one thing that they mean everywhere.
  private static let families: [(keys: [KeyPress], meaning: String)] = [
    ([KeyPress(.enter)], "open what is selected"),
    ([KeyPress(" "), KeyPress("p"), KeyPress("Z")], "stop the time, or let it run"),
    ([KeyPress(.left), KeyPress("h"), KeyPress(.right), KeyPress("l")], "one step back or on in time"),
    ([KeyPress("."), KeyPress(",")], "one step of the simulation, on or back"),
    ([KeyPress("/")], "find"),
    ([KeyPress("s"), KeyPress(.function(6))], "sort"),
    ([KeyPress("a")], "act by hand"),
    ([KeyPress("c")], "compare"),
    ([KeyPress("i")], "the histogram of what is selected"),
    ([KeyPress("r")], "send now"),
    ([KeyPress("R")], "begin anew"),
    ([KeyPress("U")], "change places: sides or branches"),
    ([KeyPress("L")], "logarithmic, or of one width"),
    ([KeyPress("T")], "another form of the list: a tree, or a figure by version"),
    (
      [KeyPress("["), KeyPress("]"), KeyPress(.left, .alt), KeyPress(.right, .alt)],
      "what happened before or next"
    ),
  ]

  /// Keys about the incident of the first line; the screens that use them for something else have no such line.
  private static let ofIncidents: Set<KeyPress> = [KeyPress("x"), KeyPress("X")]

  @Test("a key means the same on all screens")
  func oneMeaning() {
    let model = LiveFixture.model(120, 36)
    var titles: [KeyPress: Set<String>] = [:]
    for table in model.tables {
      for action in table.actions {
        for key in action.description.keys { titles[key, default: []].insert(action.description.title) }
      }
    }
    let known = Self.ofIncidents.union(Self.families.flatMap(\.keys))
    for (key, titles) in titles where titles.count > 1 {
      #expect(known.contains(key), "\(key.text) is \(titles.sorted().joined(separator: "; "))")
    }
  }

  @Test(
    "the keys that the last row names do something on their screen",
    arguments: [(120, 36), (80, 24), (240, 80)])
  func hints(width: Int, height: Int) {
    var model = LiveFixture.model(width, height)
    for screen in ["1", "2", "3", "4", "5", "6"] {
      _ = update(&model, .input(.key(KeyPress(Character(screen)))))
      for hint in model.front.footerHints where hint.key != "Shift" {
        let press = KeyPress.presses(on: hint.key, at: 0, signs: model.session.theme.signs).first
        #expect(press.flatMap(model.table.action) != nil, "screen \(screen): \(hint.key) \(hint.text)")
      }
    }
  }

  @Test("no action is hidden by another one of its screen")
  func everyActionHasAKey() {
    let model = LiveFixture.model(120, 36)
    for table in model.tables {
      for action in table.actions {
        #expect(
          action.description.keys.contains { table.action(for: $0)?.description == action.description },
          "\(action.description.title)")
      }
    }
  }

  @Test(
    "an action is found by the words of other programs",
    arguments: [
      ("pause", "Freeze the screen, or follow live again"),
      ("search", "Filter the rows: names, figures, states, fields"),
      ("clipboard", "Copy the selected row, or the list"), ("exit", "Quit now"), ("seek", "Go to a time"),
      ("bookmark", "Mark this moment with a letter"), ("fullscreen", "Maximise this pane, or show all panes"),
      ("distribution", "The histogram of this metric over this window"),
      ("incident next", "Next alert: the start of the worst, its worst moment, then older ones"),
      ("malformed", "Rejected lines"),
    ])
  func synonyms(word: String, title: String) {
    var model = LiveFixture.model(120, 36)
    _ = update(&model, .input(.key(KeyPress("?"))))
    for character in word { _ = update(&model, .input(.key(KeyPress(.character(character))))) }
    #expect(model.helpList.filter { $0.matches(word) }.map(\.title).contains(title))
    #expect(view(model).buffer.lines.joined().contains(title.prefix(40)))
  }

  @Test("the list of actions stands under headings, each once")
  func sections() {
    for (place, table) in LiveFixture.model(120, 36).tables.enumerated() {
      var sections: [String] = []
      for action in table.actions where sections.last != action.description.group.title {
        sections.append(action.description.group.title)
      }
      #expect(Set(sections).count == sections.count, "screen \(place)")
    }
  }
}
