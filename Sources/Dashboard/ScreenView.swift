import Codecs
import TerminalUI

/// A screen that draws itself: what is its own in its body, and what all screens share around that.
protocol ScreenView {
  var model: Model { get }
  var frame: ScreenFrame { get }
  /// What stands for the screen where there is no room for tabs.
  var shortSubject: String { get }
  /// So many columns may it have.
  var shortSubjectRoom: Int { get }
  /// What the screen is about, beside the tabs; empty for nothing.
  var subject: String { get }
  /// The keys that the footer names, in the order of their weight.
  var footerHints: [Footer.Hint] { get }
  /// Draws what lies between header and rail; everything where there are none.
  func drawBody(into buffer: inout Buffer)
}

extension ScreenView {
  var theme: Theme { model.theme }
  var signs: Signs { theme.signs }
  var content: LiveContent { model.live.content }
  var zone: ClockZone { model.zone }
  var subject: String { "" }
  var shortSubjectRoom: Int { model.size.width / 3 }

  func draw(into frame: inout Frame) {
    drawBody(into: &frame.buffer)
    if self.frame.step != .tiny {
      drawHeader(into: &frame.buffer)
      drawRail(into: &frame.buffer)
      drawFooter(into: &frame.buffer)
    }
    drawOverlay(into: &frame)
    if let toast = model.toast { drawToast(toast.text, into: &frame.buffer) }
  }

  /// Over the rail, so that it hides no row.
  private func drawToast(_ text: String, into buffer: inout Buffer) {
    Toast(text, theme: theme).render(in: Rect(size: model.size), into: &buffer)
  }

  private func drawFooter(into buffer: inout Buffer) {
    let area = frame.footer
    if let prompt = promptLine {
      prompt.render(in: area.inset(left: 1), into: &buffer)
      return
    }
    Footer(footerHints, theme: theme).render(in: area, into: &buffer)
  }

  /// The line that is being typed in the last row.
  var promptLine: PromptLine? {
    switch model.overlay {
    case .typing(let kind, let prompt):
      PromptLine(kind.label, prompt, hint: prompt.isEmpty ? kind.hint : "", theme: theme)
    case .letter(let use): PromptLine(use.label, Prompt(), hint: use.hint, theme: theme)
    case .help, .picker, .samples, .line, .rejections, .rawSample, nil: nil
    }
  }
}
