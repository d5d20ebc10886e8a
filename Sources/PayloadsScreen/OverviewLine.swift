import TelemetryCore
import TerminalUI

/// A line of the overview's list.
struct OverviewLine: Sendable, Equatable {
  /// The identity of a line, independent of folding.
  enum ID: Hashable, Sendable {
    /// The title of all findings.
    case findings
    case finding(OverviewFinding.Subject)
    /// A note in place of findings, or of those that are left out.
    case findingNote
    case section(FigureSection)
    case figure(PayloadOverview.Row.ID)
    /// All diagnostics of a kind.
    case kind(String)
    /// The families of a kind that matter less.
    case rest(String)
    /// The diagnostics of a family.
    case family(DiagnosticFamily.ID)
    /// A fact about a family, by its index.
    case fact(DiagnosticFamily.ID, Int)
    /// A place of a family within one build, by its index.
    case exact(DiagnosticFamily.ID, Int)
    /// A reason reported for a family, by its index.
    case reason(DiagnosticFamily.ID, Int)
    /// A frame in a family's call stacks.
    case node(DiagnosticFamily.ID, CallStackOutline.ID)
    /// The titles above and below a family's call stacks.
    case nodeTitles(DiagnosticFamily.ID)
    case note(DiagnosticFamily.ID)
  }

  enum Content: Sendable, Equatable {
    /// Number of hidden figures, and of those that changed significantly.
    case section(hidden: Int, real: Int)
    /// A sentence across all columns.
    case finding(isWorse: Bool?)
    case figure(PayloadOverview.Row)
    /// How often diagnostics come on each side.
    case rate(DiagnosticRate)
    /// Number of hidden families.
    case rest(count: Int)
    /// Number of occurrences of a reason or a place.
    case reason(count: Int)
    case nodeTitles
    /// Samples in a frame and below, in the frame itself, and the share of the former.
    case node(total: Int, own: Int, share: Double)
    /// A note across all columns.
    case note
  }

  let id: ID
  let depth: Int
  let label: String
  let fold: TableRow.Fold
  let content: Content
}

extension OverviewLine {
  /// The figure, the kind or the family that the line tells about; `nil` for none.
  var subject: OverviewFinding.Subject? {
    switch id {
    case .finding(let subject): subject
    case .figure(let id): .figure(id)
    case .kind(let kind), .rest(let kind): .kind(kind)
    case .family(let id), .fact(let id, _), .exact(let id, _), .reason(let id, _), .node(let id, _),
      .nodeTitles(let id), .note(let id):
      .family(id)
    case .findings, .findingNote, .section: nil
    }
  }
}
