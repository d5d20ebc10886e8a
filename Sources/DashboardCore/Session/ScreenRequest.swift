package import Aggregation
package import History
package import Platform

/// A screen's request to show something, without knowing which screen shows it.
package enum ScreenRequest: Sendable {
  /// Samples one by one.
  case samples(SampleRequest)
  /// The distribution of the first of these metrics that has numbers, and the way back.
  case distribution(of: [SeriesIdentity], TimeSpan, ReturnTicket)
  /// The choice of what to compare of the first of these metrics that has numbers, over all of the files.
  case comparison(of: [SeriesIdentity], ReturnTicket)
  /// Everything that the files hold of metric payloads, of the sides that were chosen, and the way back.
  case payloads(ComparedSides? = nil, ReturnTicket? = nil)
  /// One histogram, the last one where none is named; from a detour the way back leads to the screen that asks.
  case histogram(of: HistogramSubject?, ComparedSides, isDetour: Bool = false)
  /// The screen that samples were asked by, as it was.
  case back(ReturnTicket)
}

extension ScreenRequest {
  /// The metrics whose distributions are asked for; `nil` where none are.
  package var distributed: [SeriesIdentity]? {
    get {
      switch self {
      case .distribution(let subjects, _, _), .comparison(let subjects, _): subjects
      case .samples, .payloads, .histogram, .back: nil
      }
    }
    set {
      guard let newValue else { return }
      switch self {
      case .distribution(_, let span, let ticket): self = .distribution(of: newValue, span, ticket)
      case .comparison(_, let ticket): self = .comparison(of: newValue, ticket)
      case .samples, .payloads, .histogram, .back: break
      }
    }
  }
}

/// Which samples are to be shown, and the way back.
package struct SampleRequest: Sendable {
  package let series: SeriesIdentity
  /// Which samples of the series; `nil` for all of them.
  package var filter: SampleFilter?
  /// The stretch to show.
  package var window: WindowRequest = .unchanged
  package var ticket: ReturnTicket

  package enum WindowRequest: Sendable {
    case unchanged
    case whole
    /// A number of seconds around the playhead.
    case last(Double)
    case range(Range<Timestamp>)
  }

  package init(
    series: SeriesIdentity, filter: SampleFilter? = nil, window: WindowRequest = .unchanged,
    ticket: ReturnTicket
  ) {
    self.series = series
    self.filter = filter
    self.window = window
    self.ticket = ticket
  }
}

/// Where to go back to after a detour: a screen and the moment it stood on.
package struct ReturnTicket: Sendable, Hashable {
  /// The place of the screen in the list.
  package let screen: Int
  package let playhead: Playhead
  /// How much of the past was chosen to be seen.
  package let zoom: Session.Zoom?
}

/// How much of the past something is about; it ends at the playhead, or with the files.
package enum TimeSpan: Hashable, Sendable {
  case all
  /// A number of seconds before the playhead.
  case last(Double)
  /// A stretch of time.
  case fixed(Range<Timestamp>)
}
