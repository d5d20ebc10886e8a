/// Treatment of text that is wider than its space.
package enum Overflow: Hashable, Sendable {
  case clip
  /// The last column becomes an ellipsis.
  case ellipsis
}

extension Buffer {
  /// Writes text from a position to the right and returns the columns used.
  ///
  /// Nothing unsafe passes: see `SafeText`. A cluster is drawn completely or not at all; columns left of the buffer are
  /// skipped, columns beyond `limit` or the buffer's edge are not drawn.
  ///
  /// - Parameter limit: Maximum number of columns.
  @discardableResult
  package mutating func write(
    _ text: String, at position: Position, style: Style = .plain, limit: Int = .max,
    overflow: Overflow = .clip
  ) -> Int {
    let room = min(limit, size.width - min(position.x, size.width))
    guard room > 0, position.y >= 0, position.y < size.height else { return 0 }
    var pen = Pen(position: position, room: room, style: style)
    let fits = SafeText.forEachCluster(of: text, repertoire: repertoire) { cluster in
      pen.draw(cluster, in: &self)
    }
    if !fits, overflow == .ellipsis { pen.endWithEllipsis(in: &self) }
    return pen.used
  }

  /// Writes text so that it ends before column `right`; returns the columns used.
  @discardableResult
  package mutating func write(
    _ text: String, endingAt right: Int, y: Int, style: Style = .plain, limit: Int = .max,
    overflow: Overflow = .clip
  ) -> Int {
    let width = min(SafeText.width(of: text, repertoire: repertoire), limit)
    return write(
      text, at: Position(x: right - width, y: y), style: style, limit: width, overflow: overflow)
  }

  /// Writes bytes that should be UTF-8; invalid ones become the replacement mark.
  @discardableResult
  package mutating func write(
    bytes: some Sequence<UInt8>, at position: Position, style: Style = .plain, limit: Int = .max,
    overflow: Overflow = .clip
  ) -> Int {
    write(
      SafeText.decode(bytes), at: position, style: style, limit: limit, overflow: overflow)
  }
}

/// The position of the next cluster.
private struct Pen {
  let position: Position
  let room: Int
  let style: Style
  var used = 0
  private var lastWidth = 0

  init(position: Position, room: Int, style: Style) {
    self.position = position
    self.room = room
    self.style = style
  }

  /// Draws a cluster; false if it no longer fits.
  mutating func draw(_ cluster: SafeText.Cluster, in buffer: inout Buffer) -> Bool {
    guard used + cluster.width <= room else { return false }
    var x = position.x + used
    put(cluster.first, x: &x, in: &buffer)
    for cell in cluster.rest { put(cell, x: &x, in: &buffer) }
    used += cluster.width
    lastWidth = cluster.width
    return true
  }

  private func put(_ cell: Cell, x: inout Int, in buffer: inout Buffer) {
    buffer.put(Cell(glyph: cell.glyph, style: style), x: x, y: position.y)
    x += cell.width
  }

  /// Puts the ellipsis in the first free column, or in place of the last cluster.
  mutating func endWithEllipsis(in buffer: inout Buffer) {
    let column = used < room ? used : used - lastWidth
    buffer.put(Cell(base: buffer.ellipsis, style: style), x: position.x + column, y: position.y)
    for rest in column + 1..<max(column + 1, used) {
      buffer.put(.blank(style), x: position.x + rest, y: position.y)
    }
    used = max(used, column + 1)
  }
}
