import Codecs
import QueryLanguage
import TerminalUI

// Overlays beside the input line, and texts for reading.
extension OverlayView {
  /// Maximum visible completions.
  private static let completionRows = 10

  /// Draws completions of the input line, above it.
  func drawCompletions(in area: Rect, into buffer: inout Buffer) {
    // Not for a filter: the rows that it matches stay visible, and its completion appears behind the cursor.
    guard case .typing(.command, _) = session.overlay else { return }
    // The last row contains the input line, the one above it a message.
    let room = area.height - 3
    let rows = min(completions.count, Self.completionRows, room - 1)
    guard rows > 0, frame.step != .tiny else { return }
    let frame = Rect(x: area.x, y: area.y + room - rows - 1, width: area.width, height: rows + 2)
      .intersection(area)
    buffer.fill(frame)
    let more = completions.count > rows ? "\(completions.count - rows) more" : ""
    let panel = Panel("Tab completes", look: .rule, trailing: more, isFocused: true, theme: theme)
    panel.render(in: frame, into: &buffer)
    let shown = completions.prefix(rows)
    let titles = shown.reduce(0) { max($0, SafeText.width(of: $1.title)) }
    let width = min(titles, max(8, frame.width * 2 / 3))
    for (index, completion) in shown.enumerated() {
      let y = frame.y + 1 + index
      buffer.write(
        completion.title, at: Position(x: frame.x + 1, y: y), style: theme[.text], limit: width,
        overflow: .ellipsis)
      buffer.write(
        completion.hint, at: Position(x: frame.x + width + 3, y: y), style: theme[.dim],
        limit: max(0, frame.width - width - 4), overflow: .ellipsis)
    }
  }

  /// Draws completions of a filter, in the row above it: the rows that it matches stay visible.
  func drawCandidates(in area: Rect, into buffer: inout Buffer) {
    guard case .typing(.filter, let prompt) = session.overlay, problem == nil, !prompt.isEmpty,
      completions.count > 1, area.height > 3, frame.step != .tiny
    else { return }
    let row = area.row(area.height - 2)
    buffer.fill(row)
    var x = row.x + 1
    for completion in completions {
      let width = SafeText.width(of: completion.title)
      guard x + width < row.maxX else { break }
      buffer.write(completion.title, at: Position(x: x, y: row.y), style: theme[.dim], limit: width)
      x += width + 2
    }
  }

  /// Draws the answers to the question that waits for a letter, above it.
  func drawLetters(in area: Rect, into buffer: inout Buffer) {
    guard case .letter(let use) = session.overlay, frame.step != .tiny else { return }
    let choices = use == .goToMark ? marks : front.letterChoices(use)
    // The last row contains the question, the one above it a message.
    let room = area.height - 4
    guard !choices.isEmpty, room > 0 else { return }
    let columns = (choices.count + room - 1) / room
    let rows = (choices.count + columns - 1) / columns
    let frame = Rect(x: area.x, y: area.y + room - rows + 1, width: area.width, height: rows + 1)
    buffer.fill(frame)
    var panel = Panel(use.title, look: .rule, isFocused: true, theme: theme)
    panel.trailing = [line(hint: "Esc back")]
    panel.render(in: frame, into: &buffer)
    let width = frame.width / columns
    for (index, choice) in choices.enumerated() {
      let (column, row) = index.quotientAndRemainder(dividingBy: rows)
      buffer.write(
        choice.line.hinting(choice.key), at: Position(x: frame.x + column * width, y: frame.y + 1 + row),
        limit: width - 1, overflow: .ellipsis)
    }
  }

  private var marks: [LetterChoice] {
    session.notes.marks.sorted { $0.key < $1.key }.map { letter, mark in
      let moment = session.zone.moment(mark.time, now: session.now)
      return LetterChoice(
        key: String(letter),
        line: Line([Span(" \(letter) ", theme[.key]), Span("\(moment)  \(mark.text)", theme[.text])]))
    }
  }

  /// The hint behind the input line: the text that Tab adds, or a description of the expected input.
  func hint(of line: TypedLine, _ prompt: Prompt) -> String {
    if prompt.isEmpty { return line.hint }
    guard line == .filter, prompt.cursor == prompt.text.count, problem == nil,
      let first = completions.first?.line, first.lowercased().hasPrefix(prompt.text.lowercased())
    else { return "" }
    return String(first.dropFirst(prompt.text.count))
  }

  /// Draws the position and reason of a filter's error, below it.
  func drawProblem(in area: Rect, into buffer: inout Buffer) {
    guard let problem, case .typing(let line, let prompt) = session.overlay, area.height > 3 else { return }
    let row = area.row(area.height - 2)
    buffer.fill(row)
    let place = SafeText.width(of: line.label + String(prompt.text.prefix(problem.range.lowerBound)))
    let marked = prompt.text.dropFirst(problem.range.lowerBound).prefix(problem.range.count)
    let caret = "^" + String(repeating: "~", count: max(0, SafeText.width(of: String(marked)) - 1))
    let margin = frame.step == .tiny ? 0 : 1
    // Without space behind the caret, the message goes before it.
    let (x, width) = (margin + place, SafeText.width(of: problem.message))
    let isBehind = x + caret.count + 1 + width <= area.width || x < width + 1
    buffer.write(caret, at: Position(x: x, y: row.y), style: theme[.alert], limit: max(0, area.width - x))
    let start = isBehind ? x + caret.count + 1 : x - width - 1
    buffer.write(
      problem.message, at: Position(x: start, y: row.y), style: theme[.warning],
      limit: max(0, area.width - start), overflow: .ellipsis)
  }

  /// Draws a text of a few sentences in the middle of the screen.
  func drawDescription(_ text: String, in area: Rect, into buffer: inout Buffer) {
    let width = min(area.width, 76)
    let lines = TextWrap.lines(text, width: max(1, width - 4))
    let height = min(area.height, lines.count + 2)
    let frame = Rect(
      x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width: width,
      height: height)
    buffer.fill(frame)
    var panel = Panel("In words", isFocused: true, theme: theme)
    (panel.footerLeading, panel.footerTrailing) = ([line(hint: "Esc back")], [line(hint: "y copy")])
    panel.render(in: frame, into: &buffer)
    let inner = panel.inner(of: frame).inset(left: 1, right: 1)
    for (index, line) in lines.prefix(inner.height).enumerated() {
      buffer.write(
        line, at: Position(x: inner.x, y: inner.y + index), style: theme[.text], limit: inner.width)
    }
  }
}
