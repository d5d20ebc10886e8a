import TerminalUI

struct OverviewState: Sendable {}
extension Model {
  mutating func refreshOverview() {}
  mutating func moveOverview(by rows: Int) {}
  mutating func enterOverview() -> [Effect] { [] }
  var overviewText: String { "" }
}
struct OverviewView {
  let model: Model
  func drawBody(in area: Rect, into buffer: inout Buffer) {}
}
