package import DashboardCore
package import TerminalUI

/// A small screen that counts key presses: everything a contributor has to write to add a screen.
package struct TallyScreen: Screen {
  package struct State: Sendable, Equatable {
    package var count = 0
    package var isMaximised = false
  }

  package init() {}

  package static let title = ScreenTitle(name: "tally", title: "Tally", shortTitle: "Tall")
  package var context = ScreenContext(State())
  package static let actions: [ScreenAction<TallyScreen>] = [
    ScreenAction("Count one", .acts, keys: [KeyPress(.character("+"))]) { $0.state.count += 1 },
    ScreenAction(
      "Take one back", .acts, keys: [KeyPress(.character("-"))],
      refusal: { $0.state.count == 0 ? "nothing is counted" : nil }
    ) { $0.state.count -= 1 },
  ]

  package mutating func handle(_ message: ScreenMessage) -> [Effect] {
    switch message {
    case .moveCursor(let rows): state.count = max(0, state.count &+ rows)
    case .toggleMaximised: state.isMaximised.toggle()
    case .enter: session.showToast("\(state.count) counted")
    default: break
    }
    return []
  }

  package var view: TallyView { TallyView(screen: self) }
}

package struct TallyView: ScreenView {
  package let screen: TallyScreen
  package var frame: ScreenFrame { ScreenFrame(size: screen.session.size) }
  package var shortSubject: String { "Tally" }
  package var footerHints: [Footer.Hint] { [Footer.Hint("+", "count"), Footer.Hint("q", "back")] }

  package func drawBody(into buffer: inout Buffer) {
    buffer.write("counted: \(screen.state.count)", at: Position(x: 2, y: frame.body.y + 1))
  }
}
