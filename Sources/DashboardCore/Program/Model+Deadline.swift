import Aggregation
package import Platform

extension Model {
  /// The next time at which something on the screen changes by itself; `nil` for never.
  ///
  /// The program sleeps until then: a quiet file with empty windows costs nothing.
  package var nextChange: Timestamp? {
    let moments = [
      session.toast?.until, session.scanDeadline, staleAnswerDeadline, incidentDeadline, front.deadline,
      session.edgeDeadline, linear?.deadline,
    ]
    return moments.compactMap(\.self).min()
  }
}

extension Session {
  /// The next time at which the present, and with it the window's right edge, moves by itself.
  fileprivate var edgeDeadline: Timestamp? {
    guard playhead == .live, hasRecentSamples else { return nil }
    return clock.nextMultiple(of: presentStep) + clockSkew
  }
}
