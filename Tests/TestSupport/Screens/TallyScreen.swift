package import Dashboard
package import TerminalUI

/// A small screen that counts what a person presses: what a contributor writes to add a screen, and no more.
package enum TallyScreen: Screen {
  package struct State: Sendable, Equatable {
    package var count = 0
    package var isMaximised = false
  }

  package static let title = ScreenTitle(name: "tally", title: "Tally", shortTitle: "Tall")
  package static var initialState: State { State() }
  package static let actions: [ScreenAction<TallyScreen>] = [
    ScreenAction("Count one", .acts, keys: [KeyPress(.character("+"))]) { $0.state.count += 1 },
    ScreenAction(
      "Take one back", .acts, keys: [KeyPress(.character("-"))],
      refusal: { $0.state.count == 0 ? "nothing is counted" : nil }
    ) { $0.state.count -= 1 },
  ]

  package static func reduce(_ model: inout Context, _ message: ScreenMessage) -> [Effect] {
    switch message {
    case .moveCursor(let rows): model.state.count = max(0, model.state.count &+ rows)
    case .toggleMaximised: model.state.isMaximised.toggle()
    case .enter: model.session.showToast("\(model.state.count) counted")
    default: break
    }
    return []
  }

  package static func view(of model: Context) -> TallyView { TallyView(model: model) }
  package static func page(_ model: Context) -> Int { 10 }
}

/// Draws the count.
package struct TallyView: ScreenView {
  package let model: ScreenModel<TallyScreen>
  package var frame: ScreenFrame { ScreenFrame(size: model.session.size) }
  package var shortSubject: String { "Tally" }
  package var footerHints: [Footer.Hint] { [Footer.Hint("+", "count"), Footer.Hint("q", "back")] }

  package func drawBody(into buffer: inout Buffer) {
    buffer.write("counted: \(model.state.count)", at: Position(x: 2, y: frame.body.y + 1))
  }
}
