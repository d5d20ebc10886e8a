import Aggregation
import DashboardCore
import Platform

/// The default order of rows: exceeded limits, incidents by likelihood and magnitude, silent series, problems of the
/// last hour, unusual last values, and the rest by name.
struct LiveOrder: Sendable {
  /// The inputs of the order.
  struct Key: Hashable, Sendable {
    let store: StoreSource
    let scannedAt: Timestamp
    let isOfWhole: Bool
    let incidents: ValueVersion
    let areIncidentsWhole: Bool
    let window: Double
  }

  var key: Key?
  /// Current problems of series, and those of the last hour.
  var reasons: [SeriesIdentity: LiveReason] = [:]
  /// Ranks of the unusual series; the others follow by name.
  @Versioned var ranks: [SeriesIdentity: Int] = [:]
  /// Series without a sample in the window, which share one row.
  @Versioned var idle: Set<SeriesIdentity> = []
  /// Series with a current problem, which moved to the top for it.
  var lifted: Set<SeriesIdentity> = []
  /// True if idle series are listed nevertheless.
  var showsIdle = false

  /// With more series than this, last values are not compared with the usual range.
  static let comparedLimit = 400
}

extension LiveScreen {
  /// Updates reasons and order: the whole order until it has settled or the user acts, afterwards only the places of new
  /// problems and the series that are idle no longer.
  mutating func refreshOrder() {
    let key = LiveOrder.Key(
      store: session.storeSource, scannedAt: session.alerts.scannedAt, isOfWhole: session.alerts.isOfWhole,
      incidents: session.incidents.$found, areIncidentsWhole: session.incidents.found?.isWhole ?? false,
      window: session.window)
    guard state.order.key != key else { return }
    // An order settled before all incidents were known may not lead with the worst.
    if key.areIncidentsWhole, state.order.key?.areIncidentsWhole != true { state.isSettled = false }
    state.order.key = key
    state.order.reasons = troubles
    if mayOrder {
      orderByUnusual()
    } else {
      liftNewlyWrong()
      let awake = state.order.idle.filter { !isIdle($0) }
      guard !awake.isEmpty else { return }
      state.order.idle.subtract(awake)
    }
  }

  /// Moves new problems above less severe ones; all other rows keep their order.
  private mutating func liftNewlyWrong() {
    guard !session.isFrozen else { return }
    let wrong = session.firingSeries
    let new = wrong.subtracting(state.order.lifted)
    if state.order.lifted != wrong { state.order.lifted = wrong }
    guard !new.isEmpty else { return }
    let reasons = state.order.reasons
    var order = state.order.ranks.filter { !new.contains($0.key) }.sorted { $0.value < $1.value }.map(\.key)
    for series in Self.ordered(reasons.filter { new.contains($0.key) }) {
      guard let reason = reasons[series] else { continue }
      let place = order.firstIndex { reasons[$0].map(reason.precedes) ?? true }
      order.insert(series, at: place ?? order.count)
    }
    state.order.ranks = Self.ranks(order)
  }

  /// Orders all series by the severity of their problems.
  mutating func orderByUnusual() {
    let troubles = state.order.reasons
    let marks = marks(beside: troubles)
    let ranks = Self.ranks(Self.ordered(troubles.merging(marks) { first, _ in first }))
    var idle: Set<SeriesIdentity> = []
    for id in session.store.allSeries where hasNoSample(id) {
      guard let identity = session.store.identity(of: id), ranks[identity] == nil,
        session.alerts.signs[identity] == nil
      else { continue }
      idle.insert(identity)
    }
    // If no series has a sample, being idle is nothing special.
    if idle.count == session.store.count || idle.count < 2 { idle = [] }
    state.order.lifted = session.firingSeries
    guard ranks != state.order.ranks || idle != state.order.idle else { return }
    (state.order.ranks, state.order.idle) = (ranks, idle)
  }

  /// The series, worst first.
  private static func ordered(_ reasons: [SeriesIdentity: LiveReason]) -> [SeriesIdentity] {
    let named = reasons.map { (series: $0.key, name: $0.key.fullName, reason: $0.value) }
    return named.sorted { left, right in
      if left.reason.precedes(right.reason) { return true }
      return !right.reason.precedes(left.reason) && left.name < right.name
    }.map(\.series)
  }

  private static func ranks(_ order: [SeriesIdentity]) -> [SeriesIdentity: Int] {
    Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
  }

  private func isIdle(_ identity: SeriesIdentity) -> Bool {
    guard let id = session.store.id(of: identity) else { return true }
    return hasNoSample(id) && session.alerts.signs[identity] == nil
  }

  /// True if a series certainly has no sample in the window.
  private func hasNoSample(_ id: SeriesID) -> Bool {
    let tally = session.store.tally(of: id)
    return tally.end < session.edge - session.window || tally.start > session.edge
  }
}

/// The usual range of a series over the last hour.
struct UsualRange: Sendable, Equatable {
  let p1: Double
  let p5: Double
  let p50: Double
  let p95: Double
  let p99: Double

  /// The minimum number of samples for a usual range.
  private static let leastSamples = 20
  /// Seconds of which the end of the hour is a multiple, so that it need not be recomputed for every frame.
  static let step = Session.longestStep

  /// - Returns: `nil` if there are too few samples.
  init?(of id: SeriesID, in store: SeriesStore, before present: Timestamp) {
    let end = present.rounded(.up, toMultipleOf: Self.step)
    let hour = store.summary(
      of: id, from: end - Session.reach, to: end, percentiles: [1, 5, 50, 95, 99], exactLimit: 0)
    guard hour.moments.count >= Self.leastSamples, hour.quantiles.count == 5 else { return nil }
    let values = hour.quantiles.map(\.value)
    (p1, p5, p50, p95, p99) = (values[0], values[1], values[2], values[3], values[4])
  }

  /// The distance of a value from the median, where 1 is the 95th or the 5th percentile.
  func distance(of value: Double) -> Double {
    let width = value > p50 ? p95 - p50 : p50 - p5
    guard width > 0 else { return value == p50 ? 0 : 2 }
    let distance = abs(value - p50) / width
    return distance.isFinite ? distance : 0
  }

  /// The sign of a value in the highest or lowest hundredth.
  func sign(of value: Double) -> RowSign? { value > p99 ? .high : value < p1 ? .low : nil }
}
