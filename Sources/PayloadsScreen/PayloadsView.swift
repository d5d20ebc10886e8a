package import DashboardCore
package import TerminalUI

/// Draws the Payloads screen.
package struct PayloadsView: ScreenView {
  package let screen: PayloadsScreen
  package let session: Session
  package let state: PayloadsScreen.State
  package let theme: Theme

  init(_ screen: PayloadsScreen) {
    self.screen = screen
    (session, state) = (screen.session, screen.state)
    theme = session.theme
  }

  package var frame: ScreenFrame { ScreenFrame(size: session.size) }

  package var shortSubject: String { "payloads" }

  /// Leaves little space for the time range: the compared sides are more important.
  package var shortSubjectRoom: Int { session.size.width - 10 }

  package var subject: String { "" }

  package var footerHints: [Footer.Hint] {
    if let page = state.pages.last {
      let open = page.selectedRow?.target == nil ? [] : [("Enter", "open")]
      return (open + [("Esc", "back"), ("y", "copy")]).map { Footer.Hint($0.0, $0.1) }
    }
    let all = [
      ("Enter", enterHint), ("O", "one histogram"), ("T", "versions"), ("y", "copy"), ("Y", "command"),
      ("q", "back"),
    ]
    return (frame.step >= .narrow ? Array(all.prefix(3)) : all).map { Footer.Hint($0.0, $0.1) }
  }

  /// The effect of Enter on the selected line.
  private var enterHint: String {
    guard let line = state.content.selectedLine else { return "payloads" }
    switch line.id {
    case .finding(.kind), .finding(.family): return "its line"
    default:
      switch line.fold {
      case .leaf: return "payloads"
      case .expanded: return "fold"
      case .collapsed: return "unfold"
      }
    }
  }

  package func drawBody(into buffer: inout Buffer) {
    if let reason = screen.emptiness {
      drawEmptiness(reason, into: &buffer)
    } else if let page = state.pages.last {
      OverviewPageView(page: page, theme: theme, step: frame.step).drawBody(in: frame.body, into: &buffer)
    } else {
      OverviewView(state: state, theme: theme, step: frame.step, helpKey: session.keyText("?"))
        .drawBody(in: frame.body, into: &buffer)
    }
    drawWork(session.history.work, into: &buffer)
  }
}
