package import DashboardCore
package import Platform
import TerminalUI

// The messages that all engine screens handle alike, and the properties for the root.
extension EngineScreen {
  package mutating func handle(_ message: ScreenMessage) -> [Effect] { handleShared(message) }

  /// For use by screens that first handle some messages themselves.
  mutating func handleShared(_ message: ScreenMessage) -> [Effect] {
    switch message {
    case .answered, .filesGrew, .wentToAlert, .appeared: break
    case .worked(let result): adopt(result)
    // A result that still arrives is adopted; without one, folding starts over.
    case .disappeared: state.folding = nil
    case .refresh: return refreshScreen()
    case .moveCursor(let rows): moveCursor(by: rows)
    case .enter: return enter()
    case .zoom, .resetZoom, .sort: break
    case .nextPane(let direction): state.pane = paneAfter(state.pane, direction, in: layout.panes)
    case .toggleMaximised: state.isMaximised.toggle()
    case .movePlayhead(let steps): moveAlong(by: steps)
    case .movePlayheadFar(let direction): moveAlong(by: 10 * direction)
    case .wheel(let rows, _): return handle(.moveCursor(by: rows))
    case .press(let position): return press(position)
    case .drag, .release, .focusDetails: break
    case .focusPane(let position):
      if let pane = layout.pane(at: position) {
        state.pane = pane
      }
    case .edited(let line, let text): if line == .filter { filter(by: text) }
    case .cancelled(let line): if line == .filter { filter(by: "") }
    case .submitted(let line, let text): return submit(line, text)
    case .letter(let use, let letter): return handleLetter(letter, use)
    case .picked(let picker, let query, let place): return pick(picker, query: query, place: place)
    }
    return []
  }

  package var paneCount: Int { layout.panes.count }
  package var deadline: Timestamp? { engineDeadline }
  /// A simulation may be ahead of or behind the clock: a mark refers to the visible moment.
  package var mark: (time: Timestamp, text: String) { (engineTime, "") }
  package var kept: [String: String] {
    state.cursor.filter.isEmpty ? [:] : ["filter": state.filter]
  }
  package mutating func restore(_ kept: [String: String]) {
    state.cursor.filter = RowFilter(kept["filter"] ?? "", knowing: [])
  }
  package mutating func selectNewest() {
    (state.cursor.selection, state.cursor.isOpen) = (nil, false)
  }
  package var filter: RowFilter? { state.cursor.filter }
}
