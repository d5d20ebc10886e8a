/// A size in cells.
package struct Size: Hashable, Sendable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = max(0, width)
    self.height = max(0, height)
  }

  package static let zero = Size(width: 0, height: 0)
}

/// A position in a buffer; columns and rows count from zero at the top left.
package struct Position: Hashable, Sendable {
  package var x: Int
  package var y: Int

  package init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }
}

/// An area in cells.
///
/// Its size is never negative, whatever it is created from.
package struct Rect: Hashable, Sendable {
  package var x: Int
  package var y: Int
  package private(set) var width: Int
  package private(set) var height: Int

  package init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = max(0, width)
    self.height = max(0, height)
  }

  package init(size: Size) {
    self.init(x: 0, y: 0, width: size.width, height: size.height)
  }

  package var size: Size { Size(width: width, height: height) }
  package var isEmpty: Bool { width == 0 || height == 0 }
  package var maxX: Int { x + width }
  package var maxY: Int { y + height }
  package var origin: Position { Position(x: x, y: y) }

  /// True if the position lies inside.
  package func contains(_ position: Position) -> Bool {
    position.x >= x && position.x < maxX && position.y >= y && position.y < maxY
  }

  /// The common part of both areas.
  package func intersection(_ other: Rect) -> Rect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    return Rect(
      x: left, y: top, width: min(maxX, other.maxX) - left, height: min(maxY, other.maxY) - top)
  }

  /// The area reduced by that many cells at each edge; empty rather than negative.
  package func inset(left: Int = 0, top: Int = 0, right: Int = 0, bottom: Int = 0) -> Rect {
    Rect(x: x + left, y: y + top, width: width - left - right, height: height - top - bottom)
  }

  /// One row of the area, counted from its top; empty if it lies outside.
  package func row(_ index: Int) -> Rect {
    Rect(x: x, y: y + index, width: width, height: index >= 0 && index < height ? 1 : 0)
  }
}
