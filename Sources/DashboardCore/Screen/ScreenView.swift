import Aggregation
package import Codecs
package import Platform
package import TerminalUI

/// A screen that draws itself: its own body, and the parts shared by all screens around it.
package protocol ScreenView {
  associatedtype Owner: Screen
  var screen: Owner { get }
  /// The screen's session, state and theme; a view that reads them for each row stores them, since each access to the
  /// screen's own copies them.
  var session: Session { get }
  var state: Owner.State { get }
  var theme: Theme { get }
  var frame: ScreenFrame { get }
  /// A short form of the subject, for screens too narrow for tabs.
  var shortSubject: String { get }
  /// Maximum columns for it.
  var shortSubjectRoom: Int { get }
  /// The subject of the screen, beside the tabs; empty for none.
  var subject: String { get }
  /// Shorter wordings of the subject, for when the row is full.
  var shorterSubjects: [String] { get }
  /// The keys for the footer, most important first.
  var footerHints: [Footer.Hint] { get }
  /// True if the screen shows a time of its own instead of the clock's.
  var hasOwnTime: Bool { get }
  /// Signs on the rail, besides those of alerts and marks.
  var railSigns: [RailSign] { get }
  /// Draws the area between header and rail, or the whole screen without them.
  func drawBody(into buffer: inout Buffer)
}

/// A sign on the rail at a time.
package struct RailSign: Sendable {
  package let text: String
  package let time: Timestamp
  package let style: Style

  package init(text: String, time: Timestamp, style: Style) {
    self.text = text
    self.time = time
    self.style = style
  }
}

extension ScreenView {
  package var session: Session { screen.session }
  package var state: Owner.State { screen.state }
  package var theme: Theme { screen.session.theme }
  package var signs: Signs { theme.signs }
  package var zone: ClockZone { screen.session.zone }
  package var subject: String { "" }
  package var shorterSubjects: [String] { [] }
  package var shortSubjectRoom: Int { screen.session.size.width / 3 }
  package var hasOwnTime: Bool { false }
  package var railSigns: [RailSign] { [] }

  /// The keys of the footer; first the filter and order in use, so that they are visible at every size.
  private var hints: [Footer.Hint] {
    let filter = screen.filter.flatMap {
      $0.isEmpty ? nil : Footer.Hint("/", SafeText.truncated($0.text, to: 32))
    }
    let order = screen.orderText.map { Footer.Hint("s", $0) }
    let now = [filter, order].compactMap(\.self)
    return now + footerHints.filter { hint in !now.contains { $0.key == hint.key } }
  }

  /// Draws the screen and its surroundings, without overlays.
  package func draw(into frame: inout Frame) {
    drawBody(into: &frame.buffer)
    guard self.frame.step != .tiny else { return }
    drawHeader(into: &frame.buffer)
    drawRail(into: &frame.buffer)
    if !(session.overlay?.isInFooter ?? false) {
      Footer(hints, of: session).render(in: self.frame.footer, into: &frame.buffer)
    }
  }
}

extension Footer {
  /// Creates hints with the user's keys; actions without a key are left out.
  package init(_ hints: [Hint], of session: Session) {
    let shown = hints.map { Hint(session.keyText($0.key), $0.text) }
    self.init(
      shown.filter { !$0.key.isEmpty }, last: Hint(session.keyText("?"), "keys"), theme: session.theme)
  }
}

/// One frame, and the position of the terminal's cursor in it.
package struct Frame: Sendable, Equatable {
  package var buffer: Buffer
  /// Only while something is typed.
  package var cursor: Position?
}

extension Overlay {
  /// True if it replaces the footer.
  package var isInFooter: Bool {
    switch self {
    case .typing, .letter: true
    case .help, .picker, .samples, .line, .rejections, .rejectedLine, .rawLine, .description: false
    }
  }
}
