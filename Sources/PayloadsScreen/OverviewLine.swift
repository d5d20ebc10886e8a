import TelemetryCore
import TerminalUI

/// A line of the overview's list.
struct OverviewLine: Sendable, Equatable {
  /// The identity of a line, independent of folding.
  enum ID: Hashable, Sendable {
    case section(OverviewSection)
    case figure(PayloadOverview.Row.ID)
    /// All diagnostics of a kind.
    case kind(String)
    /// The diagnostics of one kind and version.
    case group(DiagnosticGroup.ID)
    /// The largest amount of a group.
    case most(DiagnosticGroup.ID)
    /// A reason reported for a group, by its index.
    case reason(DiagnosticGroup.ID, Int)
    /// A frame in a group's call stacks.
    case node(DiagnosticGroup.ID, CallStackOutline.ID)
    /// The titles above and below a group's call stacks.
    case nodeTitles(DiagnosticGroup.ID)
    case note(DiagnosticGroup.ID)
  }

  enum Content: Sendable, Equatable {
    /// Number of hidden figures, and of those that changed significantly.
    case section(hidden: Int, real: Int)
    case figure(PayloadOverview.Row)
    /// Number of diagnostics on each side, and their rate if known.
    case counts(a: Int, b: Int, rate: DiagnosticRate? = nil)
    /// Number of occurrences of a reason.
    case reason(count: Int)
    case nodeTitles
    /// Samples in a frame and below, in the frame itself, and the share of the former.
    case node(total: Int, own: Int, share: Double)
    /// A note on the call stacks.
    case note
  }

  let id: ID
  let depth: Int
  let label: String
  let fold: TableRow.Fold
  let content: Content
}
