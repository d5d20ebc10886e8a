package import History
package import Platform

/// Known data of the past: the newest answer, the question for it, and the work under way.
package struct KnownHistory: Sendable {
  /// True if there is a history to ask.
  package var isAvailable = false
  /// The last question, and the version of the files it was about.
  package var asked: HistoryQuery?
  private var askedVersion = 0
  /// How many samples had come in when it was asked.
  private var askedRecorded = 0
  /// When it was asked.
  private var askedAt = Timestamp.distantPast
  /// Grows when the files grow or are replaced.
  package var version = 0
  /// The newest answer.
  @Versioned package var answer: HistoryAnswer?
  /// The series of the answer; another version only where series or counts are others.
  @Versioned package private(set) var series: [HistorySeries] = []
  package var work: HistoryWork?
  /// True if the person gave up the first reading; nothing is asked until they want it again.
  package var isGivenUp = false

  /// A file that grows all the time is asked about this many seconds apart.
  package static let askInterval = 1.0

  /// Earliest and latest time of all samples of the files, as far as that is known.
  package var range: ClosedRange<Timestamp>? { answer?.range }

  /// True if the newest answer is of the files as they were when it was asked.
  package var isCurrent: Bool { version == askedVersion }

  /// Stores what the client reports.
  ///
  /// - Returns: What is to be said to the person.
  package mutating func receive(_ news: HistoryNews) -> [String] {
    isAvailable = true
    work = news.work
    version = max(version, news.version)
    var sentences = [news.sentence].compactMap(\.self)
    guard let answer = news.answer else { return sentences }
    isGivenUp = false
    sentences += answer.notes.filter { self.answer?.notes.contains($0) != true }
    // Twenty thousand names are not sorted again for every row that is scrolled by.
    if series != answer.series { series = answer.series }
    self.answer = answer
    return sentences
  }

  /// Asks again after the first reading was abandoned: it then goes on.
  package mutating func resume() {
    guard isGivenUp else { return }
    (isGivenUp, asked) = (false, nil)
  }

  /// Gives up the work under way.
  package mutating func giveUpWork() {
    if work?.kind == .indexing, answer == nil { isGivenUp = true }
  }

  /// Notes that a question is being asked.
  package mutating func ask(_ query: HistoryQuery, recorded: Int, at now: Timestamp) {
    (asked, askedVersion, askedAt, askedRecorded) = (query, version, now, recorded)
  }

  /// When the same question is to be asked again because the files grew.
  ///
  /// - Parameter recorded: Samples that came in until now, where these too make an answer old; else `nil`.
  package func staleAt(recorded: Int?) -> Timestamp? {
    guard asked != nil else { return nil }
    let hasGrown = recorded.map { $0 != askedRecorded } ?? false
    return !isCurrent || hasGrown ? askedAt + Self.askInterval : nil
  }
}
