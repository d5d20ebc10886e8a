import TelemetryCore
import TerminalUI

/// A line of the overview's list.
struct OverviewLine: Sendable, Equatable {
  /// The identity of a line, whatever is folded.
  enum ID: Hashable, Sendable {
    case section(OverviewSection)
    case figure(PayloadOverview.Row.ID)
    /// All diagnostics of a kind.
    case kind(String)
    /// The diagnostics of a kind and of a version.
    case group(DiagnosticGroup.ID)
    /// The most that was measured of them.
    case most(DiagnosticGroup.ID)
    /// A reason given for them, by its number.
    case reason(DiagnosticGroup.ID, Int)
    /// A place in their call stacks.
    case node(DiagnosticGroup.ID, CallStackOutline.ID)
    /// The titles above and below their call stacks.
    case nodeTitles(DiagnosticGroup.ID)
    case note(DiagnosticGroup.ID)
  }

  enum Content: Sendable, Equatable {
    /// How many figures are folded away, and how many of them changed for real.
    case section(hidden: Int, real: Int)
    case figure(PayloadOverview.Row)
    /// How many diagnostics each side has, and how often they come, where that is known.
    case counts(a: Int, b: Int, rate: DiagnosticRate? = nil)
    /// How many there were of this.
    case reason(count: Int)
    case nodeTitles
    /// Samples in a place and below, in the place itself, and the share of the former.
    case node(total: Int, own: Int, share: Double)
    /// Something that is to be known of the call stacks.
    case note
  }

  let id: ID
  let depth: Int
  let label: String
  let fold: TableRow.Fold
  let content: Content
}
