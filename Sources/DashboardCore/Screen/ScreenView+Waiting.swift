import History
import JSONLines
package import TerminalUI

// Placeholders for when there is nothing to show yet.
extension ScreenView {
  package func drawEmptiness(_ reason: (title: String, next: String), into buffer: inout Buffer) {
    let area = frame.body
    let lines = [Line(reason.title, theme[.title]), Line(reason.next, theme[.dim])]
    for (index, line) in lines.enumerated() {
      let x = area.x + max(1, (area.width - line.width(buffer.repertoire)) / 2)
      buffer.write(
        line, at: Position(x: x, y: area.y + max(0, area.height / 2 - 1) + index),
        limit: max(0, area.width - 2),
        overflow: .ellipsis)
    }
    if frame.step == .tiny {
      buffer.write(session.keyText("?"), at: Position(x: area.maxX - 1, y: area.y), style: theme[.key])
    }
  }

  /// The reason that the history has nothing to show; `nil` if it has something.
  package var historyEmptiness: (title: String, next: String)? {
    if !session.history.isAvailable {
      return (
        "This input has no history",
        "Only files have one, a pipe has none: \(ScreenTabs.key(of: 0)) shows what comes in"
      )
    }
    if session.history.isGivenUp, session.history.work == nil {
      return (
        "Reading the history was cancelled", "Enter or \(ScreenTabs.key(of: screen.place)) resumes it"
      )
    }
    if session.history.answer == nil, let problem = session.shown.status.problem {
      return (problem, "It is asked again; the answer will appear here")
    }
    if session.history.answer == nil, session.knownRange == nil {
      return session.history.work == nil
        ? ("No samples yet", "They will appear here as they are read")
        : ("Reading the history", "Esc cancels")
    }
    return nil
  }

  /// The text if lines have arrived and all were unreadable; `nil` otherwise.
  package var unreadable: [Line]? {
    let status = session.shown.status
    guard status.progress == nil, status.problem == nil, let rejection = status.rejections.first else {
      return nil
    }
    let width = max(10, session.size.width - 8)
    func wrapped(_ text: String, _ style: Style) -> [Line] {
      TextWrap.lines(SafeText.sanitized(text), width: width).map { Line($0, style) }
    }
    let advice = LineAdvice(excerpts: status.rejections.map(\.excerpt))
    // Unpacked or piped input is in a temporary file, whose name is useless in a command.
    let operand =
      session.operands.count == 1 ? session.operands[0] : session.operand(ofSource: rejection.source)
    let name = operand == "-" ? "standard input" : session.fileNames.short(operand)
    let line = SafeText.truncated(SafeText.decode(rejection.excerpt), to: width)
    var lines = wrapped("No line of \(name) can be read", theme[.title]) + [Line()]
    lines += [Line(line, theme[.text])]
    lines += wrapped("It \(rejection.reason).", theme[.warning]) + [Line()]
    lines += wrapped("A line of MisterMetrics looks like this:", theme[.dim])
    lines += [Line(SafeText.truncated(LineAdvice.expected, to: width), theme[.dim]), Line()]
    // No mapping can read such a line.
    let hopeless: [RejectionReason] = [.nestedTooDeep, .ambiguousDate]
    guard !hopeless.contains(where: { rejection.reason == $0.text }) else { return lines }
    let map = ShellWord.shown(advice.mapping?.text ?? "time=MEMBER")
    let file = ShellWord.shown(ShellWord.operand(operand))
    if let remedy = ForeignFormatter.remedy(advice, rejection.excerpt, operand) {
      let sentence = remedy.sentence.prefix(1).uppercased() + remedy.sentence.dropFirst()
      lines += wrapped(sentence + (remedy.command == nil ? "." : ":"), theme[.dim])
      if let command = remedy.command { lines += wrapped(command, theme[.key]) }
    } else if advice.mapping != nil || !advice.members.isEmpty {
      let hint = ForeignFormatter.tried(advice).map { "this reads \($0) tried" } ?? "say where their time is"
      lines += wrapped("Other JSON lines can be read too; \(hint):", theme[.dim])
      lines += [Line(SafeText.sanitized("mistertop \(file) --map \(map)"), theme[.key])]
    }
    return lines
  }

  /// Draws lines from the left, vertically centered.
  package func drawUnreadable(_ lines: [Line], in area: Rect, into buffer: inout Buffer) {
    let top = area.y + max(0, (area.height - lines.count) / 2)
    for (index, line) in lines.enumerated() where top + index < area.maxY {
      buffer.write(
        line, at: Position(x: area.x + min(4, area.width / 10), y: top + index),
        limit: max(0, area.width - min(8, area.width / 5)), overflow: .ellipsis)
    }
  }

  /// Draws the placeholder for a filter without matches.
  package func draw(emptyBy filter: RowFilter, in area: Rect, into buffer: inout Buffer) {
    let lines = filter.words(in: session).flatMap {
      TextWrap.lines(SafeText.sanitized($0), width: area.width)
    }
    for (index, line) in lines.prefix(max(0, area.height)).enumerated() {
      buffer.write(
        line, at: Position(x: area.x, y: area.y + index), style: theme[.dim], limit: area.width,
        overflow: .ellipsis)
    }
  }

  /// Draws the progress of long work: its title, how much is done, and the remaining time.
  package func drawWork(_ work: HistoryWork?, into buffer: inout Buffer) {
    guard let work else { return }
    // A message would cover it.
    let row = frame.body.row(frame.body.height - (session.toast == nil ? 1 : 2))
    let inside = row.inset(left: min(2, row.width / 8), right: min(2, row.width / 8))
    buffer.fill(inside)
    let esc = Line([Span(session.keyText("Esc"), theme[.key]), Span(" cancels", theme[.dim])])
      .hinting(session.keyText("Esc"))
    let escWidth = inside.width >= 60 ? esc.width(buffer.repertoire) + 2 : 0
    ProgressBar(
      work.kind.title, done: work.progress.done, total: work.progress.total,
      perSecond: work.progress.perSecond, theme: theme
    ).render(in: inside.inset(left: 1, right: escWidth + 1), into: &buffer)
    if escWidth > 0 { buffer.write(esc, endingAt: inside.maxX - 1, y: inside.y) }
  }
}

extension HistoryWork.Kind {
  package var title: String {
    switch self {
    case .indexing: "Reading the history"
    case .sorting: "Sorting by value"
    case .gathering: "Collecting the numbers"
    case .exporting: "Writing"
    }
  }
}
