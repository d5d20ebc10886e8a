/// The incidents of all series of a file, in the order in which they were found.
///
/// Depends on the samples and their order alone, not on when they were read: a file that is read at once, in parts or
/// while it grows has the same incidents. Only silences are not looked for in what is ahead of the clock, before that is there.
package struct IncidentLog: Sendable {
  /// An incident and whose it is.
  package struct Entry: Sendable, Hashable {
    package let series: SeriesIdentity
    package let incident: Incident

    /// True if it comes first in a list: by the start.
    package func precedes(_ other: Entry) -> Bool {
      (incident.start, series.label, series.bucket ?? "")
        < (other.incident.start, other.series.label, other.series.bucket ?? "")
    }
  }

  /// Series that are watched at most; those that come later are not.
  package static let seriesLimit = 5000
  /// Ended incidents that are kept at most: the newest.
  package static let entryLimit = 10_000

  private let subjects: @Sendable (SeriesIdentity) -> SeriesDetector.Subjects
  private var identities: [SeriesIdentity] = []
  private var detectors: [SeriesDetector] = []
  private var numbers: [SeriesIdentity: Int] = [:]
  private var ended: [Entry] = []
  /// The newest time of all samples, those ahead of the clock left out.
  private var newest = -Double.infinity
  /// Samples later than this are ahead of the clock, in seconds since 2001.
  ///
  /// One of them would have every series that comes steadily silent until the clock is there.
  package var latest = Double.infinity { didSet { if latest > oldValue { release() } } }
  /// Samples ahead of the clock, which wait until it is there.
  private var waiting: [(series: Int, time: Double)] = []
  /// As many as wait at most: of more, none does from then on.
  private static let waitingLimit = 1 << 18
  private var isWaitingGivenUp = false

  /// - Parameter subjects: what is looked for in a series.
  package init(_ subjects: @escaping @Sendable (SeriesIdentity) -> SeriesDetector.Subjects) {
    self.subjects = subjects
  }

  /// The number of a series, under which its samples are recorded; `nil` if it is not watched.
  package mutating func number(of series: SeriesIdentity) -> Int? {
    if let known = numbers[series] { return known < 0 ? nil : known }
    let subjects = subjects(series)
    guard !subjects.isEmpty, detectors.count < Self.seriesLimit else {
      if numbers.count < 2 * Self.seriesLimit { numbers[series] = -1 }
      return nil
    }
    numbers[series] = detectors.count
    identities.append(series)
    detectors.append(SeriesDetector(subjects))
    return detectors.count - 1
  }

  /// The series that were met, watched or not; of very many, the first.
  package var series: some Sequence<SeriesIdentity> { numbers.keys }

  /// Records a sample of a series.
  @inline(__always)
  package mutating func record(_ value: SeriesValue, at time: Double, of number: Int) {
    guard detectors.indices.contains(number) else { return }
    let isAhead = time > latest
    if isAhead { wait(number, time) }
    if time > newest, !isAhead, time.isFinite { newest = time }
    keepIncidents(of: number) { $0.record(value, at: time, isAhead: isAhead, onEnd: $1) }
  }

  /// Keeps the incidents that end with what a series' detector is given.
  private mutating func keepIncidents(
    of number: Int, _ give: (inout SeriesDetector, (Incident) -> Void) -> Void
  ) {
    var found: [Incident] = []
    give(&detectors[number]) { found.append($0) }
    for incident in found { keep(Entry(series: identities[number], incident: incident)) }
  }

  private mutating func wait(_ number: Int, _ time: Double) {
    guard !isWaitingGivenUp, time.isFinite else { return }
    waiting.append((number, time))
    if waiting.count > Self.waitingLimit { (waiting, isWaitingGivenUp) = ([], true) }
  }

  /// Lets the samples tell of pauses that the clock has reached: the writer's is ahead of this one, perhaps always.
  private mutating func release() {
    let reached = waiting.partition { $0.time <= latest }
    guard reached < waiting.count else { return }
    for sample in waiting[reached...].sorted(by: { $0.time < $1.time }) {
      newest = max(newest, sample.time)
      keepIncidents(of: sample.series) { $0.recordPresence(at: sample.time, onEnd: $1) }
    }
    waiting.removeSubrange(reached...)
  }

  private mutating func keep(_ entry: Entry) {
    ended.append(entry)
    if ended.count >= 2 * Self.entryLimit { ended.removeFirst(ended.count - Self.entryLimit) }
  }

  /// The longest pauses that are usual for the series that come steadily, in seconds.
  package var pauses: [SeriesIdentity: Double] {
    zip(identities, detectors).reduce(into: [:]) { $0[$1.0] = $1.1.longestPause }
  }

  /// All incidents until the newest sample that is not ahead of the clock, by their start.
  package var entries: [Entry] {
    var all = Array(ended.suffix(Self.entryLimit))
    for (identity, detector) in zip(identities, detectors) {
      all += detector.open(at: min(newest, latest)).map { Entry(series: identity, incident: $0) }
    }
    return all.sorted { $0.precedes($1) }
  }
}
