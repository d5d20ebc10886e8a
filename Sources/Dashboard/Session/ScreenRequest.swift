package import Aggregation
import History
package import Platform

/// What one screen wants to have shown, without knowing which screen shows it.
package enum ScreenRequest: Sendable {
  /// The first screen.
  case home
  /// Samples one by one.
  case samples(SampleRequest)
  /// The distribution of the first of these metrics that has numbers, and the way back.
  case distribution(of: [SeriesIdentity], TimeSpan, ReturnTicket)
  /// Everything that the files hold of metric payloads.
  case payloads
  /// The screen that samples were asked by, as it was.
  case back(ReturnTicket)
}

/// Which samples are to be shown, and the way back.
package struct SampleRequest: Sendable {
  let series: SeriesIdentity
  /// Which samples of the series; `nil` for all of them.
  var filter: SampleFilter?
  /// The stretch to show.
  var window: WindowRequest = .unchanged
  var ticket: ReturnTicket

  enum WindowRequest: Sendable {
    case unchanged
    case whole
    /// A number of seconds around the playhead.
    case last(Double)
    case range(Range<Timestamp>)
  }
}

/// Where to go back to after a detour: a screen and the moment it stood on.
package struct ReturnTicket: Sendable, Hashable {
  /// The place of the screen in the list.
  let screen: Int
  let playhead: Playhead
  /// How much of the past was chosen to be seen.
  let zoom: Session.Zoom?
}

/// How much of the past something is about; it ends at the playhead, or with the files.
package enum TimeSpan: Hashable, Sendable {
  case all
  /// A number of seconds before the playhead.
  case last(Double)
  /// A stretch of time.
  case fixed(Range<Timestamp>)
}
