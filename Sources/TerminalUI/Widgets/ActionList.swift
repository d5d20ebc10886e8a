/// The searchable list of available actions: a help screen that can run them.
package struct ActionList: Widget {
  /// One action with its key; if it is unavailable, it stays in its place and says why.
  package struct Entry: Hashable, Sendable {
    package var key: String
    package var title: String
    package var refusal: String?
    /// The heading of its group; empty if there is none.
    package var section: String
    /// Additional search terms.
    package var synonyms: String

    package init(
      _ key: String, _ title: String, refusal: String? = nil, section: String = "", synonyms: String = ""
    ) {
      self.key = key
      self.title = title
      self.refusal = refusal
      self.section = section
      self.synonyms = synonyms
    }

    /// True if all words of a query occur in the action's texts.
    package func matches(_ query: String) -> Bool {
      if query.isEmpty { return true }
      let text = [key, title, section, synonyms].joined(separator: " ").lowercased()
      return query.lowercased().split(separator: " ").allSatisfy { text.contains($0) }
    }
  }

  package var title: String
  package var entries: [Entry]
  package var query: Prompt
  /// Index among the entries that match the query.
  package var selection: Int
  package var theme: Theme

  package init(
    _ title: String, entries: [Entry], query: Prompt = Prompt(), selection: Int = 0, theme: Theme
  ) {
    self.title = title
    self.entries = entries
    self.query = query
    self.selection = selection
    self.theme = theme
  }

  /// The listed entries, in order.
  package var matches: [Entry] { entries.filter { $0.matches(query.text) } }

  /// The centered box that the list occupies.
  package func frame(in area: Rect) -> Rect {
    let width = min(area.width, max(32, min(76, area.width - 8)))
    let height = min(
      area.height, max(4, min(entries.count + headings(of: entries).count + 4, area.height - 2)))
    return Rect(
      x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width: width,
      height: height)
  }

  /// The position of the terminal's cursor while the query is typed.
  package func cursor(in area: Rect) -> Position { promptLine.cursor(in: promptArea(in: area)) }

  package func render(in area: Rect, into buffer: inout Buffer) {
    let frame = frame(in: area)
    guard !frame.isEmpty else { return }
    buffer.fill(frame)
    var panel = Panel(
      title, trailing: "\(matches.count) of \(entries.count)", isFocused: true, theme: theme)
    panel.footerLeading = [Line(hint: "Enter run", theme[.dim])]
    panel.footerTrailing = [Line(hint: "Esc close", theme[.dim])]
    panel.render(in: frame, into: &buffer)
    promptLine.render(in: promptArea(in: area), into: &buffer)
    let list = panel.inner(of: frame).inset(top: 1)
    table(height: list.height).render(in: list, into: &buffer)
  }

  private var promptLine: PromptLine {
    PromptLine("/ ", query, hint: query.isEmpty ? "type to filter" : "", theme: theme)
  }

  private func promptArea(in area: Rect) -> Rect {
    frame(in: area).inset(left: 2, top: 1, right: 1, bottom: 1).row(0)
  }

  /// Headings by index of the entries that start a section.
  private func headings(of entries: [Entry]) -> [Int: String] {
    var headings: [Int: String] = [:]
    var last = ""
    for (index, entry) in entries.enumerated() where entry.section != last {
      last = entry.section
      if !last.isEmpty { headings[index] = last }
    }
    return headings
  }

  private func row(_ entry: Entry) -> TableRow {
    let style = entry.refusal == nil ? theme[.text] : theme[.dim]
    let text = entry.refusal.map { "\(entry.title) (\($0))" } ?? entry.title
    return TableRow([Line(entry.key, theme[.key]), Line(text, style)])
  }

  private func table(height: Int) -> Table {
    let matches = matches
    let headings = headings(of: matches)
    var rows: [TableRow] = []
    var chosen: Int?
    for (index, entry) in matches.enumerated() {
      if let heading = headings[index] { rows.append(TableRow([Line(), Line(heading, theme[.title])])) }
      if index == max(0, min(matches.count - 1, selection)) { chosen = rows.count }
      rows.append(row(entry))
    }
    let keyWidth = entries.reduce(3) { max($0, min(14, SafeText.width(of: $1.key))) }
    return Table(
      columns: [Column("", width: keyWidth), Column("", width: 8, isFlexible: true)], rows: rows,
      selection: chosen,
      offset: Table.offset(showing: chosen, of: rows.count, height: height, from: 0),
      hasHeader: false, spacing: 2, theme: theme)
  }
}
