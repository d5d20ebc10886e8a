import Codecs
import Sync
import TerminalUI

/// The five states in boxes with the transitions between them; the last transition is highlighted.
///
/// It contains the transitions of the table; of those never taken, only the ones along the top are drawn.
struct SyncDiagram {
  static let height = 9

  let engine: EngineState
  let theme: Theme
  /// Background of the current state's box.
  let light: Style

  private var signs: Signs { theme.signs }

  /// Draws from the top left of an area, at least 60 columns wide.
  func draw(in area: Rect, into buffer: inout Buffer, style: (SyncState.Kind) -> Style) {
    let gap = max(10, min(18, (area.width - 38) / 2))
    let idle = Rect(x: area.x, y: area.y + 1, width: 8, height: 3)
    let syncing = Rect(x: idle.maxX + gap, y: idle.y, width: 11, height: 3)
    let pulling = Rect(x: syncing.maxX + gap, y: idle.y, width: 11, height: 3)
    let limited = Rect(x: idle.x, y: area.y + 6, width: 16, height: 3)
    let error = Rect(x: max(syncing.x + 4, limited.maxX + 25), y: area.y + 6, width: 9, height: 3)
    across(from: idle, to: syncing, .idle, .syncing, &buffer)
    across(from: syncing, to: pulling, .syncing, .pulling, &buffer)
    over(from: pulling, to: idle, y: area.y, &buffer)
    let boxes: [(SyncState.Kind, Rect)] = [
      (.idle, idle), (.syncing, syncing), (.pulling, pulling), (.rateLimited, limited), (.error, error),
    ]
    for (state, rect) in boxes { box(state, rect, style(state), &buffer) }
    let ways: [(Rect, SyncState.Kind, [SyncState.Kind])] = [
      (idle, .idle, [.rateLimited]), (syncing, .syncing, [.rateLimited, .error, .idle]),
      (pulling, .pulling, [.rateLimited, .error]),
    ]
    for (rect, from, targets) in ways { below(rect, from, targets, room: gap + rect.width - 1, &buffer) }
    beside(limited, .rateLimited, [.syncing, .idle], until: error.x, &buffer)
    beside(error, .error, [.syncing, .idle, .rateLimited], until: area.maxX, &buffer)
  }

  private func box(_ state: SyncState.Kind, _ rect: Rect, _ style: Style, _ buffer: inout Buffer) {
    let isHere = state == engine.state
    let look = isHere ? style.adding(.bold).over(light) : theme[.border]
    if isHere { buffer.fill(rect, style: light) }
    let rule = String(repeating: isHere ? signs.doubleHorizontal : signs.horizontal, count: rect.width - 2)
    let sides = isHere ? signs.doubleVertical : signs.vertical
    let corners =
      isHere ? signs.doubleCorners : [signs.topLeft, signs.topRight, signs.bottomLeft, signs.bottomRight]
    buffer.write(corners[0] + rule + corners[1], at: rect.origin, style: look)
    buffer.write(corners[2] + rule + corners[3], at: Position(x: rect.x, y: rect.y + 2), style: look)
    buffer.write(sides, at: Position(x: rect.x, y: rect.y + 1), style: look)
    buffer.write(sides, at: Position(x: rect.maxX - 1, y: rect.y + 1), style: look)
    let name = isHere ? SyncFormatter.name(state).uppercased() : SyncFormatter.name(state)
    let start = rect.x + 1 + max(0, (rect.width - 2 - name.count) / 2)
    buffer.write(name, at: Position(x: start, y: rect.y + 1), style: isHere ? look : theme[.text])
  }

  /// `├──── 12 · 0.3s ───▶`.
  private func across(
    from left: Rect, to right: Rect, _ from: SyncState.Kind, _ to: SyncState.Kind, _ buffer: inout Buffer
  ) {
    let width = right.x - left.maxX
    let line = String(repeating: signs.horizontal, count: max(0, width - 1)) + signs.arrowHead
    buffer.write(line, at: Position(x: left.maxX, y: left.y + 1), style: look(from, to))
    let words = label(from, to)
    buffer.write(
      words, at: Position(x: left.maxX + max(0, (width - words.count) / 2), y: left.y), style: look(from, to),
      limit: width)
  }

  /// The transition from the last box back to the first, above all of them.
  private func over(from last: Rect, to first: Rect, y: Int, _ buffer: inout Buffer) {
    let (left, right) = (first.x + 3, last.x + 5)
    let style = look(.pulling, .idle)
    buffer.write(
      signs.below + String(repeating: signs.horizontal, count: max(0, right - left - 1)) + signs.topRight,
      at: Position(x: left, y: y), style: style)
    let words = " done \(label(.pulling, .idle)) "
    buffer.write(words, at: Position(x: left + max(1, (right - left - words.count) / 2), y: y), style: style)
  }

  /// The transitions that lead down from a box, as text: `↓ rate limited 3 · 0.2s`.
  private func below(
    _ rect: Rect, _ from: SyncState.Kind, _ targets: [SyncState.Kind], room: Int, _ buffer: inout Buffer
  ) {
    for (row, target) in targets.filter({ tally(from, $0) != nil }).prefix(2).enumerated() {
      buffer.write(
        "\(signs.below) \(SyncFormatter.name(target)) \(label(from, target))",
        at: Position(x: rect.x, y: rect.maxY + row),
        style: look(from, target), limit: room, overflow: .ellipsis)
    }
  }

  private func beside(
    _ rect: Rect, _ from: SyncState.Kind, _ targets: [SyncState.Kind], until end: Int, _ buffer: inout Buffer
  ) {
    for (row, target) in targets.filter({ tally(from, $0) != nil }).prefix(3).enumerated() {
      buffer.write(
        "\(signs.arrow) \(SyncFormatter.name(target)) \(label(from, target))",
        at: Position(x: rect.maxX + 1, y: rect.y + row), style: look(from, target),
        limit: max(0, end - rect.maxX - 2), overflow: .ellipsis)
    }
  }

  private func tally(_ from: SyncState.Kind, _ to: SyncState.Kind) -> EngineState.Tally? {
    engine.arrows[EngineState.Arrow(from: from, to: to)]
  }

  /// `12 · 0.3s`: the number of transitions, and the average duration of the preceding state.
  private func label(_ from: SyncState.Kind, _ to: SyncState.Kind) -> String {
    guard let tally = tally(from, to), tally.count > 0 else { return "0" }
    return
      "\(NumberFormat.count(tally.count)) \(signs.dot) \(DurationFormat.text(tally.seconds / Double(tally.count)))"
  }

  private func look(_ from: SyncState.Kind, _ to: SyncState.Kind) -> Style {
    guard let tally = tally(from, to) else { return theme[.dim] }
    let isLast = engine.cause.map {
      $0.value.from == from.rawValue && $0.value.to == to.rawValue && $0.time == tally.lastAt
    }
    return isLast == true ? theme[.accent].adding(.bold) : theme[.text]
  }
}
