import Aggregation
package import Platform

extension Model {
  /// When something on the screen changes by itself; `nil` when nothing will.
  ///
  /// The program sleeps until then: a quiet file whose windows are all empty costs nothing.
  package var nextChange: Timestamp? {
    let moments = [
      session.toast?.until, session.scanDeadline, staleAnswerDeadline, incidentDeadline, front.deadline,
      session.edgeDeadline, linear?.deadline,
    ]
    return moments.compactMap(\.self).min()
  }
}

extension Session {
  /// When the present moves on by itself, and the right edge of the window with it.
  fileprivate var edgeDeadline: Timestamp? {
    guard playhead == .live, let newest, now - newest <= window else { return nil }
    return now.nextMultiple(of: presentStep)
  }
}
