package import Aggregation
package import Platform
import QueryLanguage

/// Changes worth a sign in the tree or a line in «What changed».
package struct Alerts: Sendable, Equatable {
  /// Signs by series.
  package var signs: [SeriesIdentity: RowSign] = [:]
  /// Series beyond their limits, as the last scan found them.
  package var scanned: [ChangeEvent] = []
  /// Scanned events, the incidents, and the events of the files; the newest first.
  package var events: [ChangeEvent] = []
  /// The parts from which the events were put together.
  package var eventsKey: EventsKey?
  /// True if a scan saw everything that was there at the opening.
  package var isOfWhole = false
  /// When the scan was made, and of what.
  package var scannedAt = Timestamp.distantPast
  package var recorded = -1
  package var edge = Timestamp.distantPast
  package var window = 0.0
  package var isOfPast = false
  package var incidents = ValueVersion()
  /// The limits that the scan knew.
  package var limits = LimitSet()
  package var lasting: [LastingExcess.Key: LastingExcess] = [:]
  /// Excesses that are over, as they were seen; the newest last.
  private(set) var ended: [ChangeEvent] = []
  private(set) var endedCount = 0

  /// The number of problems at a moment: series over their limit, and incidents that last.
  package func count(at moment: Timestamp) -> Int {
    events.lazy.filter { event in
      switch event.kind {
      case .overLimit: event.end == nil && event.time <= moment
      case .incident: event.lasts(at: moment)
      case .annotation, .file: false
      }
    }.count
  }

  /// Excesses that are over and kept at most.
  private static let endedLimit = 50

  /// Keeps an excess that is over.
  package mutating func keep(ended event: ChangeEvent) {
    ended = (ended + [event]).suffix(Self.endedLimit)
    endedCount += 1
  }
}

/// The parts from which a list of events was put together.
package struct EventsKey: Equatable, Sendable {
  package var scannedAt: Timestamp
  package var edge: Timestamp
  package var incidents: ValueVersion
  package var files: [FeedEvent]
  package var ended: Int
  package var visited: ChangeEvent.ID?
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
    case .incident(let kind): RowSign(kind)
    case .annotation, .file: nil
    }
  }
}

/// One line of «What changed».
package struct ChangeEvent: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case overLimit, annotation
    case incident(Incident.Kind)
    case file(FeedEvent.Kind)

    /// True if `e` stops at it.
    package var isAlert: Bool {
      switch self {
      case .overLimit, .incident, .file(.failed), .file(.truncated), .file(.removed), .file(.rejected): true
      case .annotation, .file(.rotated), .file(.gap), .file(.appeared): false
      }
    }

    package var isOfFile: Bool {
      if case .file = self { true } else { false }
    }

    /// True if it is an alert that does not stand in the files' log of incidents.
    package var isOtherAlert: Bool {
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
  package var peak: Timestamp?
  /// When it ended; `nil` while it lasts, and for what has no length.
  package var end: Timestamp?
  /// The text without what began together with it.
  package var lead: String
  /// The lead without what began together with it.
  package var core: String
  /// The text in a word or two.
  package var brief: String
  /// How bad it was, against others of its kind; `nil` for what is no trouble.
  package var severity: Severity?
  /// How much went wrong with it.
  package var weight = 0.0
  /// The limit that it is about, and how far beyond it is.
  package var excess: Excess?
  /// True if the newest samples are all within the limit again, which the figure of the whole window tells later.
  package var isBack = false

  /// A limit, and the figure that is beyond it.
  package struct Excess: Hashable, Sendable {
    package let limit: MetricLimit
    package let look: LimitLook

    package var value: Double { look.value }
    package var bound: Double { look.sides?.bound ?? limit.bound }

    /// How many times the bound the value is, or the bound the value; 1 where that says nothing.
    package var ratio: Double {
      let ratio = limit.isFloor ? bound / value : value / bound
      return ratio.isFinite ? max(1, ratio) : 1
    }
  }

  package init(kind: Kind, time: Timestamp, series: SeriesIdentity?, subject: String, text: String) {
    (self.kind, self.time, self.series) = (kind, time, series)
    (self.subject, self.text) = (subject, text)
    (lead, core, brief) = (text, text, text)
  }

  /// The properties that stay the same while an event goes on.
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
