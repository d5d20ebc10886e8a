package import Aggregation
package import Platform
import QueryLanguage

/// Changes worth a sign in the tree or a line in «What changed».
package struct Alerts: Sendable, Equatable {
  /// Signs by series.
  package var signs: [SeriesIdentity: RowSign] = [:]
  /// Series beyond their limits, as of the last scan.
  package var scanned: [ChangeEvent] = []
  /// Scanned events, incidents and file events; the newest first.
  package var events: [ChangeEvent] = []
  /// The inputs from which the events were built.
  package var eventsKey: EventsKey?
  /// True once a scan has covered all data present at the opening.
  package var isOfWhole = false
  /// When the last scan ran, and its inputs.
  package var scannedAt = Timestamp.distantPast
  package var recorded = -1
  package var edge = Timestamp.distantPast
  package var window = 0.0
  package var isOfPast = false
  package var incidents = ValueVersion()
  /// The limits of the last scan.
  package var limits = LimitSet()
  package var lasting: [LastingExcess.Key: LastingExcess] = [:]
  /// Excesses that have ended, as seen while live; the newest last.
  private(set) var ended: [ChangeEvent] = []
  private(set) var endedCount = 0

  /// The number of problems at a moment: series beyond their limits, and lasting incidents, unless acknowledged.
  package func count(at moment: Timestamp) -> Int {
    events.lazy.filter { event in
      switch event.kind {
      case .overLimit: event.end == nil && event.time <= moment && !event.isAcknowledged
      case .incident: event.lasts(at: moment) && !event.isAcknowledged
      case .annotation, .recurrence, .file: false
      }
    }.count
  }

  /// Maximum number of ended excesses kept.
  private static let endedLimit = 50

  /// Keeps an ended excess.
  package mutating func keep(ended event: ChangeEvent) {
    ended = (ended + [event]).suffix(Self.endedLimit)
    endedCount += 1
  }
}

/// The inputs from which a list of events was built.
package struct EventsKey: Equatable, Sendable {
  package var scannedAt: Timestamp
  package var edge: Timestamp
  package var incidents: ValueVersion
  package var files: [FeedEvent]
  package var ended: Int
  package var visited: ChangeEvent.ID?
  package var acknowledged: [Acknowledgement]
}

/// The sign at the end of a row.
package enum RowSign: Int, Sendable, Hashable {
  case overLimit, aboveOwn, belowOwn, otherOutcome, silent, few, high, low
}

extension RowSign: Comparable {
  package static func < (left: RowSign, right: RowSign) -> Bool { left.rawValue < right.rawValue }
}

extension ChangeEvent.Kind {
  /// The sign for the row of the series.
  package var sign: RowSign? {
    switch self {
    case .overLimit: .overLimit
    case .incident(let sign): sign
    case .annotation, .recurrence, .file: nil
    }
  }
}

/// One line of «What changed».
package struct ChangeEvent: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case overLimit, annotation
    /// An incident that recurs as usual.
    case recurrence
    case incident(RowSign)
    case file(FeedEvent.Kind)

    /// True if `e` stops at it.
    package var isAlert: Bool {
      switch self {
      case .overLimit, .incident, .file(.failed), .file(.truncated), .file(.removed), .file(.rejected): true
      case .annotation, .recurrence, .file(.rotated), .file(.gap), .file(.appeared), .file(.noted): false
      }
    }

    package var isOfFile: Bool {
      if case .file = self { true } else { false }
    }

    /// True for an alert that the files' incident log does not hold.
    package var isOtherAlert: Bool {
      if case .incident = self { false } else { isAlert }
    }
  }

  package let kind: Kind
  package let time: Timestamp
  /// The series concerned.
  package let series: SeriesIdentity?
  package let subject: String
  package let text: String
  /// The worst moment; `nil` where it is `time`.
  package var peak: Timestamp?
  /// The end; `nil` while it lasts, and for events without a duration.
  package var end: Timestamp?
  /// The text with the margin of error of its factor.
  package var exact: String
  /// The text without the changes that began with it.
  package var lead: String
  /// The lead without the changes that began with it.
  package var core: String
  /// The text in a word or two.
  package var brief: String
  /// The severity, comparable among events of the same kind; `nil` for events that are no problem.
  package var severity: Severity?
  /// The total magnitude of the incident.
  package var weight = 0.0
  /// The limit concerned, and how far the figure is beyond it.
  package var excess: Excess?
  /// True if the newest samples are all within the limit again, while the figure of the whole window still lags behind.
  package var isBack = false
  /// True if the user has seen it.
  package var isAcknowledged = false

  /// The words before its text in lists; empty for most.
  package var note: String { isAcknowledged ? "acknowledged: " : "" }

  /// A limit and the figure that is beyond it.
  package struct Excess: Hashable, Sendable {
    package let limit: MetricLimit
    package let look: LimitLook

    package var value: Double { look.value }
    package var bound: Double { look.sides?.bound ?? limit.bound }

    /// The ratio of value to bound, or of bound to value for a floor; 1 where a ratio means nothing.
    package var ratio: Double {
      let ratio = limit.isFloor ? bound / value : value / bound
      return ratio.isFinite ? max(1, ratio) : 1
    }
  }

  package init(kind: Kind, time: Timestamp, series: SeriesIdentity?, subject: String, text: String) {
    (self.kind, self.time, self.series) = (kind, time, series)
    (self.subject, self.text) = (subject, text)
    (exact, lead, core, brief) = (text, text, text, text)
  }

  /// The properties that do not change while an event lasts.
  package struct ID: Hashable, Sendable {
    package let time: Timestamp
    package let subject: String

    package init(time: Timestamp, subject: String) {
      self.time = time
      self.subject = subject
    }
  }

  package var id: ID { ID(time: time, subject: subject) }
}
