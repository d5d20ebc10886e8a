package import Aggregation
package import Platform
import QueryLanguage

/// Changes worth a sign in the tree or a line in «What changed», found by scanning all series once a second.
package struct Alerts: Sendable, Equatable {
  /// Signs by series.
  var signs: [SeriesIdentity: RowSign] = [:]
  /// Events found by the scan.
  var scanned: [ChangeEvent] = []
  /// Scanned events, the incidents, and the events of the files; the newest first.
  package internal(set) var events: [ChangeEvent] = []
  /// The parts from which the events were put together.
  var eventsKey: EventsKey?
  /// True if a scan saw everything that was there at the opening.
  var isOfWhole = false
  /// When the scan was made, and of what.
  var scannedAt = Timestamp.distantPast
  var recorded = -1
  var edge = Timestamp.distantPast
  var window = 0.0
  var isOfPast = false
  var incidents = ValueVersion()
  /// The limits that the scan knew.
  var limits = LimitSet()
  var lasting: [LastingExcess.Key: LastingExcess] = [:]
  /// Excesses that are over, as they were seen; the newest last.
  private(set) var ended: [ChangeEvent] = []
  private(set) var endedCount = 0
  /// The usual values for each series, from the last hour, kept for ten seconds.
  var baselines: [SeriesID: Baseline] = [:]

  /// The number of problems at a moment: series over their limit, and incidents that last.
  package func count(at moment: Timestamp) -> Int {
    events.lazy.filter { event in
      switch event.kind {
      case .silent: true
      case .overLimit: event.end == nil && event.time <= moment
      case .incident: event.lasts(at: moment)
      case .aboveOwn, .outlier, .changed, .annotation, .file: false
      }
    }.count
  }

  /// Excesses that are over and kept at most.
  private static let endedLimit = 50

  /// Keeps an excess that is over.
  mutating func keep(ended event: ChangeEvent) {
    ended = (ended + [event]).suffix(Self.endedLimit)
    endedCount += 1
  }
}

/// The parts from which a list of events was put together.
struct EventsKey: Equatable, Sendable {
  var scannedAt: Timestamp
  var edge: Timestamp
  var incidents: ValueVersion
  var files: [FeedEvent]
  var ended: Int
  var visited: ChangeEvent.ID?
}

/// Percentiles of the hour before a moment.
struct Baseline: Sendable, Equatable {
  /// The inputs that it was computed from.
  struct Key: Sendable, Hashable {
    var edge: Timestamp
    var firstTime: Timestamp
    var rolledUp: Int
  }

  var key: Key
  var count: Int
  var p50: Quantile
  var p95: Quantile
  var p999: Quantile
}

/// The sign at the end of a row.
package enum RowSign: Int, Sendable, Hashable {
  case overLimit, aboveOwn, belowOwn, otherOutcome, silent, few, high, low
}

/// One line of «What changed».
package struct ChangeEvent: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case overLimit, silent, aboveOwn, outlier, changed, annotation
    case incident(Incident.Kind)
    case file(FeedEvent.Kind)

    /// True if `e` stops at it.
    var isAlert: Bool {
      switch self {
      case .overLimit, .silent, .incident, .file(.failed), .file(.truncated), .file(.removed),
        .file(.rejected):
        return true
      case .aboveOwn, .outlier, .changed, .annotation, .file(.rotated), .file(.gap), .file(.appeared):
        return false
      }
    }

    var isOfFile: Bool {
      if case .file = self { true } else { false }
    }

    /// True if it is an alert that does not stand in the files' log of incidents.
    var isOtherAlert: Bool {
      if case .incident = self { false } else { isAlert }
    }
  }

  package let kind: Kind
  package let time: Timestamp
  /// The series it is about.
  package let series: SeriesIdentity?
  package let subject: String
  package let text: String
  /// When it was worst; `nil` where that is its time.
  var peak: Timestamp?
  /// When it ended; `nil` while it lasts, and for what has no length.
  var end: Timestamp?
  /// The text without what began together with it.
  var lead: String
  /// The lead without what began together with it.
  var core: String
  /// The text in a word or two.
  var brief: String
  /// How bad it was, against others of its kind; `nil` for what is no trouble.
  var severity: Severity?
  /// How much went wrong with it.
  var weight = 0.0
  /// The limit that it is about, and how far beyond it is.
  var excess: Excess?
  /// True if the newest samples are all within the limit again, which the figure of the whole window tells later.
  var isBack = false

  /// A limit, and the figure that is beyond it.
  struct Excess: Hashable, Sendable {
    let limit: MetricLimit
    let look: LimitLook

    var value: Double { look.value }
    var bound: Double { look.sides?.bound ?? limit.bound }

    /// How many times the bound the value is, or the bound the value; 1 where that says nothing.
    var ratio: Double {
      let ratio = limit.isFloor ? bound / value : value / bound
      return ratio.isFinite ? max(1, ratio) : 1
    }
  }

  init(kind: Kind, time: Timestamp, series: SeriesIdentity?, subject: String, text: String) {
    (self.kind, self.time, self.series) = (kind, time, series)
    (self.subject, self.text) = (subject, text)
    (lead, core, brief) = (text, text, text)
  }

  /// The properties that stay the same while an event goes on.
  package struct ID: Hashable, Sendable {
    let time: Timestamp
    let subject: String
  }

  var id: ID { ID(time: time, subject: subject) }
}
