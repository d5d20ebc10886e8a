/// A prompt on the screen: its symbol and its text, scrolled so that the cursor is visible.
package struct PromptLine: Widget {
  package var label: String
  package var prompt: Prompt
  /// Dim text after the cursor: a completion or possible input.
  package var hint: String
  package var theme: Theme

  package init(_ label: String, _ prompt: Prompt, hint: String = "", theme: Theme) {
    self.label = label
    self.prompt = prompt
    self.hint = hint
    self.theme = theme
  }

  package func render(in area: Rect, into buffer: inout Buffer) {
    guard !area.isEmpty else { return }
    buffer.fill(area.row(0))
    buffer.write(label, at: area.origin, style: theme[.key], limit: area.width)
    let start = textStart(in: area)
    guard start < area.maxX else { return }
    let text = String(prompt.text.dropFirst(hidden(in: area)))
    let used = buffer.write(
      text, at: Position(x: start, y: area.y), style: theme[prompt.isSelected ? .selection : .text],
      limit: area.maxX - start)
    buffer.write(
      hint, at: Position(x: start + used, y: area.y), style: theme[.dim],
      limit: max(0, area.maxX - start - used), overflow: .ellipsis)
  }

  /// The position of the terminal's cursor.
  package func cursor(in area: Rect) -> Position {
    let shown = String(prompt.beforeCursor.dropFirst(hidden(in: area)))
    let x = textStart(in: area) + SafeText.width(of: shown)
    return Position(x: max(area.x, min(area.maxX - 1, x)), y: area.y)
  }

  private func textStart(in area: Rect) -> Int {
    area.x + min(SafeText.width(of: label), max(0, area.width - 1))
  }

  /// Number of characters scrolled out at the left, so that a column is left for the cursor.
  private func hidden(in area: Rect) -> Int {
    let room = max(0, area.maxX - textStart(in: area) - 1)
    var width = 0
    var shown = 0
    for character in prompt.beforeCursor.reversed() {
      width += SafeText.width(of: String(character))
      if width > room { break }
      shown += 1
    }
    return prompt.beforeCursor.count - shown
  }
}
