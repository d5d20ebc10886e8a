import Aggregation
import Codecs
import QueryLanguage
import TerminalUI

/// Draws the overlays: help, pickers, samples, rejected lines, prompts and toasts.
struct OverlayView {
  let session: Session
  /// The shown screen.
  let front: any Screen
  /// All available actions, for help.
  let help: [ActionList.Entry]
  /// Choices of a picker for a typed query.
  let choices: (_ picker: Picker, _ query: String) -> [String]
  /// Completions of the input line.
  let completions: [Completion]
  /// The error in the input line.
  let problem: QueryError?

  var frame: ScreenFrame { ScreenFrame(size: session.size) }

  var theme: Theme { session.theme }
  private var signs: Signs { theme.signs }
  private var zone: ClockZone { session.zone }

  func draw(into frame: inout Frame) {
    drawOverlay(into: &frame)
    if let toast = session.toast {
      Toast(toast.text, theme: theme).render(in: toastRow, into: &frame.buffer)
    }
  }

  /// The last row up to its `? keys`, or the row above while a prompt occupies it, so that no message hides input.
  private var toastRow: Rect {
    let area = Rect(size: session.size)
    switch session.overlay {
    case .typing, .letter: return area.row(max(0, area.height - 2))
    default: return area.row(max(0, area.height - 1)).inset(right: area.width >= 40 ? 8 : 0)
    }
  }

  private func drawOverlay(into frame: inout Frame) {
    let area = Rect(size: session.size)
    switch session.overlay {
    case nil: return
    case .typing, .letter:
      drawCompletions(in: area, into: &frame.buffer)
      drawCandidates(in: area, into: &frame.buffer)
      drawProblem(in: area, into: &frame.buffer)
      drawLetters(in: area, into: &frame.buffer)
      drawPrompt(in: area, into: &frame)
    case .description(let text): drawDescription(text, in: area, into: &frame.buffer)
    case .help(let query, let selection):
      drawActions("Keys", help, query, selection, in: area, into: &frame)
    case .picker(let picker, let query, let selection):
      let entries = choices(picker, query.text).map {
        ActionList.Entry("", $0, synonyms: picker.synonyms(query.text))
      }
      drawActions(picker.title, entries, query, selection, in: area, into: &frame)
    case .samples(let identity, let selection):
      drawSamples(identity, selection, in: area, into: &frame.buffer)
    case .line(let line, _): drawLine(line, in: area, into: &frame.buffer)
    case .rejectedLine(let line, _): drawLine(line, in: area, into: &frame.buffer)
    case .rawLine: drawRawLine(in: area, into: &frame.buffer)
    case .rejections(let selection): drawRejections(selection, in: area, into: &frame.buffer)
    }
  }

  private func drawActions(
    _ title: String, _ entries: [ActionList.Entry], _ query: Prompt, _ selection: Int, in area: Rect,
    into frame: inout Frame
  ) {
    let list = ActionList(title, entries: entries, query: query, selection: selection, theme: theme)
    list.render(in: area, into: &frame.buffer)
    if area.height >= 4 { frame.cursor = list.cursor(in: area) }
  }

  /// Draws the input line, or the question that waits for a letter, in the last row.
  private func drawPrompt(in area: Rect, into frame: inout Frame) {
    let isTiny = self.frame.step == .tiny
    let row = area.row(area.height - 1).inset(left: isTiny ? 0 : 1)
    guard !row.isEmpty, let line = promptLine else { return }
    line.render(in: row, into: &frame.buffer)
    frame.cursor = line.cursor(in: row)
  }

  private var promptLine: PromptLine? {
    switch session.overlay {
    case .typing(let kind, let prompt):
      PromptLine(kind.label, prompt, hint: hint(of: kind, prompt), theme: theme)
    case .letter(let use): PromptLine(use.label, Prompt(), hint: use.hint, theme: theme)
    case .help, .picker, .samples, .line, .rejections, .rejectedLine, .rawLine, .description, nil: nil
    }
  }

  private func drawSamples(
    _ identity: SeriesIdentity, _ selection: Int, in area: Rect, into buffer: inout Buffer
  ) {
    let samples = session.samples(of: identity)
    let unit = session.unit(of: identity)
    let top = samples.compactMap { if case .number(let value) = $0.value { value } else { nil } }.max() ?? 0
    let rows = samples.enumerated().map { index, sample -> TableRow in
      var cells = [Line(zone.time(sample.moment, .milliseconds), theme[.dim])]
      guard case .number(let value) = sample.value else {
        return TableRow(cells + [Line(sample.value.words, theme[.value])])
      }
      cells.append(Line(unit.text(value), theme[.value]))
      cells.append(Line(bar(value, of: top), theme[.series1]))
      if index + 1 < samples.count, case .number(let before) = samples[index + 1].value {
        let change = value - before
        cells.append(Line((change > 0 ? "+" : "") + unit.text(change), theme[.dim]))
      }
      return TableRow(cells)
    }
    let columns = [
      Column("TIME", width: 12), Column("VALUE", width: 9, isFlexible: false, alignment: .trailing),
      Column("", width: 6, isFlexible: true, dropOrder: 2),
      Column("CHANGE", width: 9, alignment: .trailing, dropOrder: 1),
    ]
    let isNumeric = samples.contains { if case .number = $0.value { true } else { false } }
    let texts = [Column("TIME", width: 12), Column("VALUE", width: 9, isFlexible: true)]
    let capped = samples.count == Session.sampleLimit ? "newest " : ""
    drawList(
      "Samples of \(identity.fullName)",
      trailing: "\(capped)\(samples.count) in \(DurationFormat.text(session.window))", hint: "Enter raw line",
      columns: isNumeric ? columns : texts, rows: rows, selection: selection, in: area, into: &buffer)
  }

  /// Draws the raw line, wrapped over as many rows as needed.
  private func drawLine(_ line: RawLine, hint: String? = nil, in area: Rect, into buffer: inout Buffer) {
    let room = max(1, area.width - 6)
    var (rows, row, width) = ([String](), "", 0)
    for character in line.text {
      let columns = SafeText.width(of: String(character), repertoire: buffer.repertoire)
      if width + columns > room {
        rows.append(row)
        (row, width) = ("", 0)
      }
      row.append(character)
      width += columns
    }
    let place = line.line.map { "line \($0), " } ?? ""
    let written = (rows + [row]).map { TableRow([Line($0, theme[.text])]) }
    let decoded = decodedRows(of: line)
    let between = [TableRow([Line()]), TableRow([Line("AS WRITTEN", theme[.header])])]
    drawList(
      session.fileNames.short(line.source), trailing: place + "byte \(line.offset)", hint: hint,
      columns: [Column(decoded.isEmpty ? "AS WRITTEN" : "DECODED", width: 10, isFlexible: true)],
      rows: decoded.isEmpty ? written : decoded + between + written, selection: nil, in: area, into: &buffer
    )
  }

  /// The decoded contents of the line; empty for a line that is not a sample.
  private func decodedRows(of line: RawLine) -> [TableRow] {
    let rows = DecodedLine(line.text, zone: zone)?.rows ?? []
    let width = min(24, rows.reduce(0) { max($0, $1.name.count) })
    return rows.map { name, text in
      let space = String(repeating: " ", count: max(0, width - name.count) + 1)
      return TableRow([Line([Span(name + space, theme[.dim]), Span(text, theme[.value])])])
    }
  }

  /// Draws the line of the screen's current sample.
  private func drawRawLine(in area: Rect, into buffer: inout Buffer) {
    guard let line = front.rawLine else {
      return drawList(
        "Raw line", trailing: "", columns: [Column("AS WRITTEN", width: 10, isFlexible: true)],
        rows: [TableRow([Line("Reading the selected line", theme[.dim])])], selection: nil,
        in: area, into: &buffer)
    }
    drawLine(line, hint: "o editor", in: area, into: &buffer)
  }

  private func bar(_ value: Double, of top: Double) -> String {
    guard top > 0, value > 0 else { return "" }
    let room = max(6, session.size.width / 3)
    return String(repeating: signs.barFull, count: max(1, min(room, Int(value / top * Double(room)))))
  }

  private func drawRejections(_ selection: Int, in area: Rect, into buffer: inout Buffer) {
    let rejections = session.rejections
    let count = session.shown.status.rejected + session.unreadPayloads.count
    let places = rejections.map { [names = session.fileNames] in $0.place(names) }
    let rows = zip(rejections, places).map { rejection, place in
      TableRow([
        Line(place, theme[.dim]), Line(rejection.reason, theme[.warning]),
        Line(String(decoding: rejection.excerpt, as: UTF8.self), theme[.text]),
      ])
    }
    // Files that cannot be read as a whole have no line to show.
    let hasLines = rejections.contains { !$0.excerpt.isEmpty }
    let why = hasLines ? min(34, area.width / 4) : 8
    let place = places.reduce(8) { max($0, min(area.width / 2, $1.count)) }
    drawList(
      session.unreadPayloads.isEmpty ? "Rejected lines" : "Unreadable files and lines",
      trailing: "\(rejections.count) of \(NumberFormat.count(count))",
      hint: "Enter raw line",
      columns: [
        Column("WHERE", width: place), Column("WHY", width: why, isFlexible: !hasLines, dropOrder: 2),
        Column(hasLines ? "LINE" : "", width: hasLines ? 8 : 0, isFlexible: hasLines, dropOrder: 1),
      ], rows: rows, selection: selection, in: area, into: &buffer)
  }

  /// A hint with this screen's keys.
  func line(hint: String) -> Line { Line(hint: session.keyHint(hint), theme[.dim]) }

  /// Draws a framed list over the whole screen except its first row and its last two.
  private func drawList(
    _ title: String, trailing: String, hint: String? = nil, columns: [Column], rows: [TableRow],
    selection: Int?, in area: Rect, into buffer: inout Buffer
  ) {
    let frame = self.frame.step == .tiny ? area : area.inset(top: 1, bottom: 2)
    buffer.fill(frame)
    var panel = Panel(title, trailing: trailing, isFocused: true, theme: theme)
    panel.footerLeading = ["Esc back", hint].compactMap(\.self).map { line(hint: $0) }
    panel.footerTrailing = ["y copy", "? keys"].map { line(hint: $0) }
    if frame.height < 4 { panel.look = .rule }
    panel.render(in: frame, into: &buffer)
    if self.frame.step == .tiny {
      buffer.write(session.keyText("?"), at: Position(x: area.maxX - 1, y: area.y), style: theme[.key])
    }
    let inner = panel.inner(of: frame)
    let height = max(0, inner.height - 1)
    let chosen = rows.isEmpty ? nil : selection.map { max(0, min(rows.count - 1, $0)) }
    let table = Table(
      columns: columns, rows: rows, selection: chosen,
      offset: Table.offset(showing: chosen, of: rows.count, height: height, from: 0), theme: theme)
    table.render(in: inner, into: &buffer)
  }
}
