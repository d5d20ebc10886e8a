import Aggregation
package import Codecs
package import Platform
package import TerminalUI

/// A screen that draws itself: what is its own in its body, and what all screens share around that.
package protocol ScreenView {
  associatedtype Owner: Screen
  var screen: Owner { get }
  var frame: ScreenFrame { get }
  /// A short form of the subject, for where there is no room for tabs.
  var shortSubject: String { get }
  /// Maximum columns for it.
  var shortSubjectRoom: Int { get }
  /// The subject of the screen, beside the tabs; empty for none.
  var subject: String { get }
  /// The same in fewer words, where the row has other things to say.
  var shorterSubjects: [String] { get }
  /// The keys that the footer names, in the order of their weight.
  var footerHints: [Footer.Hint] { get }
  /// True if the screen shows a time of its own, which is not the clock's.
  var hasOwnTime: Bool { get }
  /// Signs on the rail beside those of alerts and marks.
  var railSigns: [RailSign] { get }
  /// Draws what lies between header and rail; everything where there are none.
  func drawBody(into buffer: inout Buffer)
}

/// A sign on the rail at a moment.
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

  /// The keys of the footer; first of all what narrows and orders the rows now, so that it is seen at every size.
  private var hints: [Footer.Hint] {
    let filter = screen.filter.flatMap {
      $0.isEmpty ? nil : Footer.Hint("/", SafeText.truncated($0.text, to: 32))
    }
    let order = screen.orderText.map { Footer.Hint("s", $0) }
    let now = [filter, order].compactMap(\.self)
    return now + footerHints.filter { hint in !now.contains { $0.key == hint.key } }
  }

  /// Draws the screen and what stands around it, but for what lies over it.
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
  /// Hints with the keys that the person chose; those of actions without a key are left out.
  package init(_ hints: [Hint], of session: Session) {
    let shown = hints.map { Hint(session.keyText($0.key), $0.text) }
    self.init(
      shown.filter { !$0.key.isEmpty }, last: Hint(session.keyText("?"), "keys"), theme: session.theme)
  }
}

/// One picture, and where the terminal's cursor belongs in it.
package struct Frame: Sendable, Equatable {
  package var buffer: Buffer
  /// Only while something is typed.
  package var cursor: Position?
}

extension Overlay {
  /// True if it takes the place of the footer.
  package var isInFooter: Bool {
    switch self {
    case .typing, .letter: true
    case .help, .picker, .samples, .line, .rejections, .rejectedLine, .rawLine, .description: false
    }
  }
}
