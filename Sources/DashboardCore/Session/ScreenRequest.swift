package import Aggregation
package import History
package import Platform

/// A request to show something, made without knowing which screen shows it.
package enum ScreenRequest: Sendable {
  /// Individual samples.
  case samples(SampleRequest)
  /// The distribution of the first of these metrics that is numeric, and the way back.
  case distribution(of: [SeriesIdentity], TimeSpan, ReturnTicket)
  /// The picker of what to compare for the first of these metrics that is numeric, over whole files.
  case comparison(of: [SeriesIdentity], ReturnTicket)
  /// The distribution of a metric on one host, compared with that on all others, and the way back.
  case host(String, of: SeriesIdentity, TimeSpan, ReturnTicket)
  /// All metric payloads in the files, for the chosen sides, and the way back; or those that have a figure.
  case payloads(ComparedSides? = nil, ReturnTicket? = nil, figure: String? = nil)
  /// One histogram, or the last one where none is named; after a detour the way back leads to the requesting screen.
  case histogram(of: HistogramSubject?, ComparedSides, isDetour: Bool = false)
  /// The screen that requested samples, in its previous state.
  case back(ReturnTicket)
}

extension ScreenRequest {
  /// The metrics whose distributions are requested; `nil` for other requests.
  package var distributed: [SeriesIdentity]? {
    get {
      switch self {
      case .distribution(let subjects, _, _), .comparison(let subjects, _): subjects
      case .samples, .host, .payloads, .histogram, .back: nil
      }
    }
    set {
      guard let newValue else { return }
      switch self {
      case .distribution(_, let span, let ticket): self = .distribution(of: newValue, span, ticket)
      case .comparison(_, let ticket): self = .comparison(of: newValue, ticket)
      case .samples, .host, .payloads, .histogram, .back: break
      }
    }
  }
}

/// The samples to show, and the way back.
package struct SampleRequest: Sendable {
  package let series: SeriesIdentity
  /// Restricts the samples of the series; `nil` for all of them.
  package var filter: SampleFilter?
  /// The time range to show.
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

/// The return target of a detour: a screen and its moment.
package struct ReturnTicket: Sendable, Hashable {
  /// The place of the screen in the list.
  package let screen: Int
  package let playhead: Playhead
  /// The user's choice of how much of the past to show.
  package let zoom: Session.Zoom?
}

/// A span of the past; it ends at the playhead, or with the files.
package enum TimeSpan: Hashable, Sendable {
  case all
  /// A number of seconds before the playhead.
  case last(Double)
  /// A fixed time range.
  case fixed(Range<Timestamp>)
}
