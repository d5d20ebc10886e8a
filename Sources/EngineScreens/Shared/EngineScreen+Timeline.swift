package import DashboardCore
import Platform
import QueryLanguage
package import TerminalUI

// The history of an engine as a list: its filter, its cursor, and the details of one entry.
extension EngineScreen {
  package typealias Happening = EngineHappening<Self.Engine.Entry>

  // MARK: The list

  mutating func refreshScreen() -> [Effect] {
    let effects = refresh()
    // After a return from the past, the newest entry is selected unless another one is open.
    if state.cursor.followsPlayhead, !session.isFrozen, !state.isOpen {
      (state.cursor.selection, state.cursor.followsPlayhead) = (nil, false)
    }
    list()
    return effects
  }

  /// Lists the entries that pass the filter.
  private mutating func list() {
    let filter = state.cursor.filter
    state.cursor.list.update(for: .init(shown: state.shownEngine.key, filter: filter)) {
      [all = state.engine.timeline.list] _ in
      filter.query.isEmpty
        ? all : all.filter { filter.query.matches(name: Engine.Entry.Formatter.searched($0)) }
    }
  }

  mutating func filter(by text: String) {
    // Timeline entries have text but no figures.
    state.cursor.filter = RowFilter(text, before: state.cursor.filter, knowing: [])
    state.cursor.selection = nil
    list()
  }

  /// Handles a submitted line: a filter, or the name of a test.
  mutating func submit(_ line: TypedLine, _ text: String) -> [Effect] {
    if line.isOfTest { return writeTest(text) }
    if line == .filter {
      filter(by: text)
      session.closeFilter(state.cursor.filter)
    }
    return []
  }

  // MARK: The cursor

  private var entries: [Happening] { state.entries }

  /// The index of the selected entry in the list.
  var selectedPlace: Int? {
    guard let number = state.selection else { return entries.indices.last }
    return entries.firstIndex { $0.number == number } ?? entries.indices.last
  }

  package var selectedEntry: Happening? { selectedPlace.map { entries[$0] } }

  /// Moves the selection; the newest entry is at the top.
  mutating func moveEntry(by rows: Int) {
    guard let current = selectedPlace else { return }
    let next = entries.count - 1 - Session.moved(entries.count - 1 - current, by: rows, count: entries.count)
    state.cursor.selection = next == entries.count - 1 ? nil : entries[next].number
  }

  /// Shows the details of the selected entry; if they are shown already, its line in the file.
  mutating func openEntry() -> [Effect] {
    guard let entry = selectedEntry else { return [] }
    guard state.isOpen else {
      state.cursor.isOpen = true
      // It stays selected when new entries arrive.
      state.cursor.selection = entry.number
      return []
    }
    return [.findLine(entry.entry.lineQuery(at: entry.time))]
  }

  /// Handles a click on the selected entry.
  package mutating func openSelected() -> [Effect] { openEntry() }

  /// The selected entry as text, with its details if they are shown.
  var entryLines: [String] {
    guard let entry = selectedEntry else { return [] }
    let formatter = Engine.Entry.Formatter(zone: session.zone, arrow: "->")
    let facts = state.isOpen ? formatter.facts(of: entry).map { "\($0.name): \($0.value)" } : []
    return [formatter.text(entry)] + facts
  }

  // MARK: Time

  /// The index of the moment a number of steps before or after the playhead; `nil` if there is none.
  func place(by steps: Int, among moments: [Timestamp]) -> Int? {
    // A simulation may be ahead of the clock.
    let here = session.isFrozen ? session.present : max(engineTime, session.present)
    let place =
      steps < 0
      ? (moments.lastIndex { $0 < here }).map { $0 + steps + 1 }
      : (moments.firstIndex { $0 > here }).map { $0 + steps - 1 }
    return place.map { max(0, min(moments.count - 1, $0)) }
  }

  /// Moves the playhead along moments; after the last one, to the live end.
  ///
  /// - Returns: The index of the moment.
  mutating func travel(by steps: Int, among moments: [Timestamp], what: String) -> Int? {
    guard let place = place(by: steps, among: moments) else {
      if steps > 0 { session.goLive() } else { session.showToast("No \(what) before this") }
      return nil
    }
    session.movePlayhead(to: moments[place])
    return place
  }

  // MARK: Mouse

  package mutating func press(_ position: Position) -> [Effect] {
    let layout = layout
    if let pane = layout.pane(at: position) { state.pane = pane }
    if state.pane == .faults { return pressFault(position, in: layout.inner(of: layout[.faults])) }
    guard state.pane == .timeline else { return [] }
    return pressEntry(position, in: layout.timelineList)
  }

  /// Closes the open entry, or undoes the last restriction of the view.
  ///
  /// - Returns: True if there was anything to undo.
  package mutating func stepBack() -> Bool {
    if state.isOpen {
      state.cursor.isOpen = false
    } else if state.isMaximised {
      state.isMaximised = false
    } else if !state.filter.isEmpty {
      filter(by: "")
    } else {
      return false
    }
    return true
  }

  /// Number of entries scrolled out above a list of a given height.
  func timelineOffset(height: Int) -> Int {
    guard let selected = selectedPlace else { return 0 }
    return Table.offset(showing: entries.count - 1 - selected, of: entries.count, height: height, from: 0)
  }

  /// Selects the entry of a row, or opens it if it is selected already.
  private mutating func pressEntry(_ position: Position, in area: Rect) -> [Effect] {
    guard area.contains(position), let top = entries.indices.last else { return [] }
    let place = top - timelineOffset(height: area.height) - (position.y - area.y)
    guard entries.indices.contains(place) else { return [] }
    guard place != selectedPlace else { return openSelected() }
    state.cursor.selection = place == top ? nil : entries[place].number
    return []
  }
}

extension ScreenAction where Owner: EngineScreen {
  /// Prompts for a filter.
  static func filterTimeline(hint: String) -> ScreenAction {
    ScreenAction("Filter the timeline", .rows, name: "filter", keys: [KeyPress("/")]) {
      $0.session.overlay = .typing(.filter(hint: hint), Prompt($0.state.filter, isSelected: true))
    }
  }
}
