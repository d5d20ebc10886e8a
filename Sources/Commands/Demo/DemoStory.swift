package import DashboardCore
package import Platform

/// A temporary fault in the sample app.
package struct DemoIncident: Equatable, Sendable {
  /// The kind of fault.
  package enum Kind: String, CaseIterable, Sendable {
    /// A query takes 160 times as long; the endpoint that runs it slows down, and work queues up behind it.
    case slowQuery
    /// Half of all requests fail, and the breaker opens.
    case failingEndpoint
    /// The app syncs everything at once, which slows down all requests.
    case syncStorm
    /// Requests take six times as long.
    case latencySpike
    /// Queries take eight times as long, and frames are dropped.
    case slowDisk
    /// The app is in the background and records nothing.
    case suspended
    /// Memory use grows until the system sends a memory warning.
    case memoryPressure
  }

  package let kind: Kind
  /// Seconds since the start of the demo.
  package let start: Double
  /// Seconds since the start of the demo.
  package let end: Double

  init(_ kind: Kind, from start: Double, for length: Double) {
    (self.kind, self.start, end) = (kind, start, start + length)
  }
}

/// The timeline of events in the sample app: a history with small incidents, then the story that the demo tells.
///
/// The demo opens in the middle of the slow query; in the next three minutes the user sees the release that fixes it, a
/// failing endpoint, and a sync storm. Then the next release starts the next round. A release is slow or fast
/// throughout, so that any two versions can be compared.
///
/// | seconds from the opening | |
/// |---|---|
/// | -70 | release of 2.4.1 |
/// | -68 to 35 | slow query |
/// | 35 | release of 2.4.2 |
/// | 60 to 95 | failing endpoint |
/// | 110 to 145 | sync storm |
/// | 230 | release of 2.4.3, and so on |
package enum DemoStory {
  /// The time at which the user starts watching, in seconds since the start of the demo.
  package static let opening = 600.0
  /// Seconds between two slow releases: a multiple of the intervals between the incidents of sync engine and delivery
  /// client.
  static let roundLength = 300.0
  private static let firstRelease = opening - 70

  private static let past = [
    DemoIncident(.memoryPressure, from: 40, for: 18), DemoIncident(.latencySpike, from: 120, for: 16),
    DemoIncident(.suspended, from: 205, for: 12), DemoIncident(.slowDisk, from: 290, for: 16),
  ]
  /// In seconds since the release that starts the round.
  private static let chapters = [
    DemoIncident(.slowQuery, from: 2, for: 103), DemoIncident(.failingEndpoint, from: 130, for: 35),
    DemoIncident(.syncStorm, from: 180, for: 35),
  ]

  /// The incident in progress at a time, if any.
  ///
  /// - Parameter time: Seconds since the start of the demo.
  static func incident(at time: Double) -> DemoIncident? {
    let begin = release(ofRound: round(at: time) ?? 0)
    let all = past + chapters.map { DemoIncident($0.kind, from: begin + $0.start, for: $0.end - $0.start) }
    return all.first { $0.start <= time && time < $0.end }
  }

  /// The version running at a time.
  static func version(at time: Double) -> String {
    guard let number = round(at: time) else { return "2.4.0" }
    let isMended = time >= release(ofRound: number) + chapters[0].end
    return "2.4.\(2 * number + (isMended ? 2 : 1))"
  }

  /// The index of the round, from 0; `nil` before the first release.
  private static func round(at time: Double) -> Int? {
    time >= firstRelease && time < 1e9 ? Int((time - firstRelease) / roundLength) : nil
  }

  private static func release(ofRound number: Int) -> Double { firstRelease + Double(number) * roundLength }

  /// The sync storms of all rounds that begin before a time, in seconds since the start of the demo.
  static func storms(until end: Double) -> [DemoIncident] {
    let storm = chapters[2]
    return (0...(round(at: end) ?? 0)).map {
      DemoIncident(.syncStorm, from: release(ofRound: $0) + storm.start, for: storm.end - storm.start)
    }
  }

  /// Rounds whose chapters get marks.
  private static let toldRounds = 5

  /// The demo's marks on the rail, sorted by time.
  ///
  /// - Parameter start: The time at which the demo begins.
  package static func marks(from start: Timestamp) -> [HistoryNotes.Mark] {
    (0..<toldRounds).flatMap { number -> [HistoryNotes.Mark] in
      let begin = release(ofRound: number)
      let mended = begin + chapters[0].end
      let told: [(seconds: Double, text: String)] = [
        (0, "\(version(at: begin)) slows db.orders"),
        (chapters[0].end, "\(version(at: mended)) mends db.orders"),
        (chapters[1].start, "an endpoint fails"), (chapters[2].start, "a sync storm"),
      ]
      return told.map { HistoryNotes.Mark(time: start + (begin + $0.seconds), text: $0.text) }
    }
  }
}
