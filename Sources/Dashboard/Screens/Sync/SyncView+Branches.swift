import Codecs
import Sync
import TerminalUI

// Two branches of one engine over each other, and what differs in one line.
extension SyncView {
  func drawBranches(into buffer: inout Buffer) {
    guard state.other != nil else {
      drawPanel("What if", pane: .branches, in: layout.branches, into: &buffer)
      let words = model.branchRefusal ?? "B starts a branch here, with one change"
      return write([Line(words, theme[.dim])], in: layout.inner(of: layout.branches), into: &buffer)
    }
    let area = layout.inner(of: layout.branches)
    guard let (comparison, branches) = comparison(width: area.width) else { return }
    guard layout.step < .stacked || layout.branches.height > 1 else {
      return write([comparisonLine(comparison)], in: area, into: &buffer)
    }
    drawPanel(
      "What if  \(state.log.change(of: branches.1))", footer: driven("U other  Del drop"),
      footerTrailing: driven("B branch here"), pane: .branches, in: layout.branches, into: &buffer)
    drawComparison(comparison, of: branches, in: area, into: &buffer)
  }
}
