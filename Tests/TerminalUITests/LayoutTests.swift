import Testing

@testable import TerminalUI

@Suite("Layout")
struct LayoutTests {
  @Test(
    "shares out the room",
    arguments: [
      ([.fixed(10), .fill(1)], 30, [10, 20]), ([.fill(1), .fill(2)], 30, [10, 20]),
      ([.fraction(0.45), .fill(1)], 120, [54, 66]), ([.minimum(5), .fill(3)], 25, [10, 15]),
      ([.fixed(20), .fixed(20)], 30, [20, 10]), ([.fixed(5), .minimum(50), .fill(1)], 30, [5, 25, 0]),
      ([.fill(1), .fill(1), .fill(1)], 10, [3, 3, 4]), ([.fraction(2), .fixed(3)], 10, [10, 0]),
      ([.fixed(-5), .fill(-1)], 10, [0, 0]), ([], 10, []),
      ([.share(1, of: 3, atLeast: 7), .fill(1)], 30, [10, 20]), ([.share(1, of: 3, atLeast: 7)], 12, [7]),
      ([.share(1, of: 2, atMost: 9), .fill(1)], 30, [9, 21]), ([.share(1, of: 2, atLeast: 7)], 5, [5]),
      ([.growing(5, every: 6, beyond: 20)], 20, [5]), ([.growing(5, every: 6, beyond: 20)], 32, [7]),
    ] as [([Constraint], Int, [Int])])
  func lengths(constraints: [Constraint], total: Int, lengths: [Int]) {
    #expect(Constraint.lengths(constraints, total: total, spacing: 0) == lengths)
  }

  @Test("parts never overlap and never leave the whole, whatever is asked for")
  func parts() {
    var random = Seeded(state: 5)
    for _ in 0..<500 {
      let whole = Rect(
        x: 3, y: 4, width: Int.random(in: 0...50, using: &random),
        height: Int.random(in: 0...9, using: &random))
      let constraints = (0..<Int.random(in: 0...6, using: &random)).map { _ -> Constraint in
        let amount = Int.random(in: -2...40, using: &random)
        switch Int.random(in: 0...3, using: &random) {
        case 0: return .fixed(amount)
        case 1: return .minimum(amount)
        case 2: return .fraction(Double(amount) / 20)
        default: return .fill(amount)
        }
      }
      let parts = whole.columns(constraints, spacing: Int.random(in: 0...2, using: &random))
      #expect(parts.count == constraints.count)
      #expect(parts.allSatisfy { $0.isEmpty || $0.intersection(whole) == $0 })
      for (left, right) in zip(parts, parts.dropFirst()) { #expect(right.isEmpty || left.maxX <= right.x) }
    }
  }

  private enum Area: ScreenArea {
    case pane(Int)
    case sentence
  }

  @Test("a table places areas within each other; those without room vanish in its order")
  func table() {
    let table = AreaTable<Area>.rows([
      .area(.sentence, .fixed(1)),
      .columns([.pane(1, .fixed(4)), .rows([.pane(2, .fixed(2)), .pane(3)])], spacing: 1),
    ])
    #expect(
      table.places(in: Rect(x: 1, y: 1, width: 10, height: 5)) == [
        .sentence: Rect(x: 1, y: 1, width: 10, height: 1), .pane(1): Rect(x: 1, y: 2, width: 4, height: 4),
        .pane(2): Rect(x: 6, y: 2, width: 5, height: 2), .pane(3): Rect(x: 6, y: 4, width: 5, height: 2),
      ])
    let low = table.places(in: Rect(x: 0, y: 0, width: 10, height: 3)).filter { !$0.value.isEmpty }
    #expect(Set(low.keys) == [.sentence, .pane(1), .pane(2)])
    #expect(AreaTable<Area>.rows([]).places(in: Rect(x: 0, y: 0, width: 9, height: 9)).isEmpty)
  }

  @Test("areas are never negative")
  func rects() {
    #expect(Rect(x: 0, y: 0, width: -4, height: 2).isEmpty)
    #expect(Rect(x: 0, y: 0, width: 3, height: 3).inset(left: 2, right: 2).width == 0)
    #expect(Rect(x: 0, y: 0, width: 3, height: 3).intersection(Rect(x: 9, y: 9, width: 2, height: 2)).isEmpty)
    #expect(Rect(x: 0, y: 0, width: 3, height: 3).row(3).isEmpty)
    #expect(Rect(x: 0, y: 0, width: 3, height: 3).rows([.fixed(1), .fill(1)]).map(\.y) == [0, 1])
  }
}
