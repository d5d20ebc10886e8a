package import History
package import Platform

/// Known data of the past: the newest answer, the query behind it, and the work under way.
package struct KnownHistory: Sendable {
  /// True if there is a history to query.
  package var isAvailable = false
  /// The last query, and the version of the files at that time.
  package var asked: HistoryQuery?
  private var askedVersion = 0
  /// The number of samples recorded at the time of the query.
  private var askedRecorded = 0
  /// The time of the query.
  private var askedAt = Timestamp.distantPast
  /// Grows when the files grow or are replaced.
  package var version = 0
  /// The newest answer.
  @Versioned package var answer: HistoryAnswer?
  /// The series of the answer; a new version only when series or counts differ.
  @Versioned package private(set) var series: [HistorySeries] = []
  package var work: HistoryWork?
  /// True if the user abandoned the first reading; no queries are sent until the user resumes it.
  package var isGivenUp = false

  /// Minimum seconds between two queries about files that keep growing.
  package static let askInterval = 1.0

  /// Earliest and latest time of all samples of the files, as far as known.
  package var range: ClosedRange<Timestamp>? { answer?.range }

  /// True if the files have not changed since the last query.
  package var isCurrent: Bool { version == askedVersion }

  /// Stores what the client reports.
  ///
  /// - Returns: Messages for the user.
  package mutating func receive(_ news: HistoryNews) -> [String] {
    isAvailable = true
    work = news.work
    version = max(version, news.version)
    var sentences = [news.sentence].compactMap(\.self)
    guard let answer = news.answer else { return sentences }
    isGivenUp = false
    sentences += answer.notes.filter { self.answer?.notes.contains($0) != true }
    // Avoids re-sorting twenty thousand names for every row scrolled past.
    if series != answer.series { series = answer.series }
    self.answer = answer
    return sentences
  }

  /// Resumes the first reading after it was abandoned.
  package mutating func resume() {
    guard isGivenUp else { return }
    (isGivenUp, asked) = (false, nil)
  }

  /// Abandons the work under way.
  package mutating func giveUpWork() {
    if work?.kind == .indexing, answer == nil { isGivenUp = true }
  }

  /// Records that a query is under way.
  package mutating func ask(_ query: HistoryQuery, recorded: Int, at now: Timestamp) {
    (asked, askedVersion, askedAt, askedRecorded) = (query, version, now, recorded)
  }

  /// When the same query should be repeated because the files grew.
  ///
  /// - Parameter recorded: The number of samples so far, where new samples also make an answer stale; otherwise `nil`.
  package func staleAt(recorded: Int?) -> Timestamp? {
    guard asked != nil else { return nil }
    let hasGrown = recorded.map { $0 != askedRecorded } ?? false
    return !isCurrent || hasGrown ? askedAt + Self.askInterval : nil
  }
}
