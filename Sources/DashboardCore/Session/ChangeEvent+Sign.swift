import Aggregation
package import TerminalUI

extension ChangeEvent.Kind {
  /// The sign in front of an event of this kind.
  package func line(_ theme: Theme) -> Line {
    let signs = theme.signs
    switch self {
    case .overLimit: return Line("!", theme[.alert])
    case .incident(.belowOwn): return Line(signs.below, theme[.alert])
    case .incident(.otherOutcome): return Line(signs.other, theme[.alert])
    case .incident(.silent): return Line(signs.silent, theme[.alert])
    case .incident: return Line(signs.above, theme[.alert])
    case .recurrence: return Line(signs.rotated, theme[.dim])
    case .annotation: return Line(signs.release, theme[.dim])
    case .file(.rotated), .file(.appeared): return Line(signs.rotated, theme[.accent])
    case .file(.noted): return Line(signs.rotated, theme[.dim])
    case .file(.gap): return Line(signs.gap, theme[.gap])
    case .file(.truncated), .file(.removed), .file(.rejected), .file(.failed): return Line("!", theme[.alert])
    }
  }
}
