/// The incidents of all series of a file, in the order they were found.
///
/// Depends only on the samples and their order, not on when they were read: a file has the same incidents whether it is
/// read at once, in parts or while it grows. The exception is samples ahead of the clock, which count for silences
/// only once the clock reaches them.
package struct IncidentLog: Sendable {
  /// An incident and its series.
  package struct Entry: Sendable, Hashable {
    package let series: SeriesIdentity
    package internal(set) var incident: Incident

    /// True if this entry comes first in a list, which is sorted by start.
    package func precedes(_ other: Entry) -> Bool {
      (incident.start, series.label, series.bucket ?? "")
        < (other.incident.start, other.series.label, other.series.bucket ?? "")
    }
  }

  /// Maximum number of watched series; later ones are not watched.
  package static let seriesLimit = 5000
  /// Maximum number of ended incidents kept, the newest ones.
  package static let entryLimit = 10_000
  /// Maximum number of series whose newest samples are kept with their labels.
  private static let labeledLimit = 500
  /// Minimum number of series assumed to share the budget, so that a small file gets no laxer thresholds.
  private static let leastSharers = 200

  private let subjects: @Sendable (SeriesIdentity) -> SeriesDetector.Subjects
  private let sensitivity: DetectionBudget.Sensitivity
  private var identities: [SeriesIdentity] = []
  private var detectors: [SeriesDetector] = []
  private var numbers: [SeriesIdentity: Int] = [:]
  /// The newest samples of series whose structs have texts or bools.
  private var labeled: [Int: LabeledSamples] = [:]
  private var ended: [Entry] = []
  /// Latest time of all samples that are not ahead of the clock.
  private var newest = -Double.infinity
  /// Time after which samples are ahead of the clock, in seconds since 2001.
  ///
  /// A single such sample would make every steady series silent until the clock catches up.
  package var latest = Double.infinity { didSet { if latest > oldValue { release() } } }
  /// Samples ahead of the clock, held until it reaches them.
  private var waiting: [(series: Int, time: Double)] = []
  /// Maximum number of waiting samples; if exceeded, all are dropped and later ones do not wait.
  private static let waitingLimit = 1 << 18
  private var isWaitingGivenUp = false

  /// - Parameters:
  ///   - sensitivity: the number of false lines allowed for all series together.
  ///   - subjects: the subjects to watch in a series.
  package init(
    sensitivity: DetectionBudget.Sensitivity = .normal,
    _ subjects: @escaping @Sendable (SeriesIdentity) -> SeriesDetector.Subjects
  ) {
    (self.sensitivity, self.subjects) = (sensitivity, subjects)
  }

  /// The number under which a series' samples are recorded; `nil` if the series is not watched.
  package mutating func number(of series: SeriesIdentity) -> Int? {
    if let known = numbers[series] { return known < 0 ? nil : known }
    let subjects = subjects(series)
    guard !subjects.isEmpty, detectors.count < Self.seriesLimit else {
      if numbers.count < 2 * Self.seriesLimit { numbers[series] = -1 }
      return nil
    }
    numbers[series] = detectors.count
    identities.append(series)
    detectors.append(SeriesDetector(subjects, budget: budget))
    shareBudget()
    return detectors.count - 1
  }

  private var budget: DetectionBudget {
    DetectionBudget(sensitivity, seriesCount: max(Self.leastSharers, detectors.count))
  }

  /// Redistributes the budget each time the number of series has doubled.
  private mutating func shareBudget() {
    let count = detectors.count
    guard count > Self.leastSharers, count.nonzeroBitCount == 1 else { return }
    let budget = budget
    for place in detectors.indices { detectors[place].budget = budget }
  }

  /// All series encountered, watched or not; only the first ones if there are very many.
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

  /// Records the texts and bools beside the number of a sample.
  package mutating func record(
    _ labels: [SampleLabel], beside number: Double, at time: Double, of series: Int
  ) {
    guard detectors.indices.contains(series), labeled[series] != nil || labeled.count < Self.labeledLimit
    else { return }
    let change = detectors[series].ongoingChange
    labeled[series, default: LabeledSamples()].record(number, labels, at: time, during: change)
  }

  /// Keeps the incidents that end when `give` updates a series' detector.
  private mutating func keepIncidents(
    of number: Int, _ give: (inout SeriesDetector, (Incident) -> Void) -> Void
  ) {
    var found: [Incident] = []
    give(&detectors[number]) { found.append($0) }
    for incident in found { keep(entry(incident, of: number)) }
  }

  private func entry(_ incident: Incident, of number: Int) -> Entry {
    var incident = incident
    incident.startMargin = detectors[number].startMargin(of: incident)
    if incident.kind.isOfValues, incident.kind != .outlier {
      incident.carrier = labeled[number]?.carrier(of: incident)
    }
    return Entry(series: identities[number], incident: incident)
  }

  private mutating func wait(_ number: Int, _ time: Double) {
    guard !isWaitingGivenUp, time.isFinite else { return }
    waiting.append((number, time))
    if waiting.count > Self.waitingLimit { (waiting, isWaitingGivenUp) = ([], true) }
  }

  /// Records the arrivals of waiting samples that the clock has reached.
  ///
  /// The writer's clock may be permanently ahead of this one.
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

  /// The number of series whose usual values are known.
  package var knownCount: Int { detectors.count(where: \.knowsUsual) }

  /// The smallest change of level that would be noticed in each series, as a factor, where it is known.
  package var smallestChanges: [Double] { detectors.compactMap(\.smallestChange) }

  /// The longest usual pauses of the steady series, in seconds.
  package var pauses: [SeriesIdentity: Double] {
    zip(identities, detectors).reduce(into: [:]) { $0[$1.0] = $1.1.longestPause }
  }

  /// All incidents up to the newest sample that is not ahead of the clock, in order of start.
  package var entries: [Entry] {
    var all = Array(ended.suffix(Self.entryLimit))
    for number in detectors.indices {
      all += detectors[number].open(at: min(newest, latest)).map { entry($0, of: number) }
    }
    all.sort { $0.precedes($1) }
    Recurrence.mark(&all, until: min(newest, latest))
    return all
  }
}
