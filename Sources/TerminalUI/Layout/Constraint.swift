/// The space that a part of an area requests.
package enum Constraint: Hashable, Sendable {
  /// Exactly that many cells, or as many as are left.
  case fixed(Int)
  /// At least that many cells, and an equal share of the rest.
  case minimum(Int)
  /// A share of the whole, from 0 to 1.
  case fraction(Double)
  /// A share of the whole such as 28 of 100, within bounds.
  case share(Int, of: Int, atLeast: Int = 0, atMost: Int = .max)
  /// A number of cells, and one more for each `every` that the whole has beyond `beyond`.
  case growing(Int, every: Int, beyond: Int)
  /// A weighted share of the rest.
  case fill(Int)
}

extension Rect {
  /// Divides the area from left to right.
  ///
  /// The parts never overlap and never leave this area; later ones may be empty.
  package func columns(_ constraints: [Constraint], spacing: Int = 0) -> [Rect] {
    var x = self.x
    return Constraint.lengths(constraints, total: width, spacing: spacing).map { length in
      defer { x += length + spacing }
      return Rect(x: min(x, maxX), y: y, width: length, height: height)
    }
  }

  /// Divides the area from top to bottom.
  ///
  /// The parts never overlap and never leave this area; later ones may be empty.
  package func rows(_ constraints: [Constraint], spacing: Int = 0) -> [Rect] {
    var y = self.y
    return Constraint.lengths(constraints, total: height, spacing: spacing).map { length in
      defer { y += length + spacing }
      return Rect(x: x, y: min(y, maxY), width: width, height: length)
    }
  }
}

extension Constraint {
  /// Distributes `total` cells: first the fixed parts, in order, then the rest by weight.
  static func lengths(_ constraints: [Constraint], total: Int, spacing: Int) -> [Int] {
    let room = max(0, total - spacing * max(0, constraints.count - 1))
    var left = room
    var lengths = constraints.map { constraint in
      let length = max(0, min(left, constraint.base(of: room)))
      left -= length
      return length
    }
    var weights = constraints.reduce(0) { $0 + $1.weight }
    for (index, constraint) in constraints.enumerated() where constraint.weight > 0 {
      let share = left * constraint.weight / weights
      lengths[index] += share
      left -= share
      weights -= constraint.weight
    }
    return lengths
  }

  private func base(of room: Int) -> Int {
    switch self {
    case .fixed(let length), .minimum(let length): return length
    case .fraction(let share): return Int((Double(room) * min(1, max(0, share))).rounded())
    case .share(let part, let whole, let least, let most): return max(least, min(most, room * part / whole))
    case .growing(let length, let every, let start): return length + max(0, room - start) / every
    case .fill: return 0
    }
  }

  private var weight: Int {
    switch self {
    case .fixed, .fraction, .share, .growing: return 0
    case .minimum: return 1
    case .fill(let weight): return max(0, min(weight, 1 << 20))
    }
  }
}
