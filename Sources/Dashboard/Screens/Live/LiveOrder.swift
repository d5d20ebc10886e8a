import Aggregation
import Platform

/// The order that rows have until a person sorts them: from what is farthest from its usual on.
struct LiveOrder: Sendable {
  /// What it was made from.
  struct Key: Hashable, Sendable {
    let store: StoreSource
    let scannedAt: Timestamp
    let isOfWhole: Bool
    let incidents: ValueVersion
    let areIncidentsWhole: Bool
    let window: Double
  }

  var key: Key?
  /// The places of those that are unusual; the others follow by name.
  @Versioned var ranks: [SeriesIdentity: Int] = [:]
  /// Series without a sample in the window, which share one row.
  @Versioned var idle: Set<SeriesIdentity> = []
  /// Series that are wrong now, which were put at the top for it.
  var lifted: Set<SeriesIdentity> = []
  /// Whether they are listed all the same.
  var showsIdle = false

  /// With more series than this the last values are not compared with what is usual.
  static let comparedLimit = 400
}

extension ScreenModel where Owner == LiveScreen {
  /// Brings the order up to date: all of it until a person has seen it, afterwards only what is idle no longer.
  mutating func refreshOrder() {
    let key = LiveOrder.Key(
      store: session.storeSource, scannedAt: session.alerts.scannedAt, isOfWhole: session.alerts.isOfWhole,
      incidents: session.incidents.$found, areIncidentsWhole: session.incidents.found?.isWhole ?? false,
      window: session.window)
    guard state.order.key != key else { return }
    // What was settled without knowing of the incidents is not what tells most.
    if key.areIncidentsWhole, state.order.key?.areIncidentsWhole != true { state.isSettled = false }
    state.order.key = key
    if mayOrder {
      orderByUnusual()
    } else {
      liftNewlyWrong()
      let awake = state.order.idle.filter { !isIdle($0) }
      guard !awake.isEmpty else { return }
      state.order.idle.subtract(awake)
    }
  }

  /// Puts what has gone wrong since the list was ordered at its top; all other rows keep their order.
  private mutating func liftNewlyWrong() {
    guard !session.isFrozen else { return }
    let wrong = session.firingSeries
    let new = wrong.subtracting(state.order.lifted)
    if state.order.lifted != wrong { state.order.lifted = wrong }
    guard !new.isEmpty else { return }
    let kept = state.order.ranks.filter { !new.contains($0.key) }.mapValues { $0 + new.count }
    let first = new.sorted { $0.fullName < $1.fullName }.enumerated().map { ($1, $0) }
    state.order.ranks = kept.merging(first) { $1 }
  }

  /// Orders all series by how far they are from their usual.
  mutating func orderByUnusual() {
    let distances = unusual
    let ranked = distances.sorted { ($1.value, $0.key.fullName) < ($0.value, $1.key.fullName) }
    let ranks = Dictionary(uniqueKeysWithValues: ranked.enumerated().map { ($1.key, $0) })
    var idle: Set<SeriesIdentity> = []
    for id in session.store.allSeries where hasNoSample(id) {
      guard let identity = session.store.identity(of: id), distances[identity] == nil,
        session.alerts.signs[identity] == nil
      else { continue }
      idle.insert(identity)
    }
    // Where nothing has a sample nothing is special about that.
    if idle.count == session.store.count || idle.count < 2 { idle = [] }
    state.order.lifted = session.firingSeries
    guard ranks != state.order.ranks || idle != state.order.idle else { return }
    (state.order.ranks, state.order.idle) = (ranks, idle)
  }

  private func isIdle(_ identity: SeriesIdentity) -> Bool {
    guard let id = session.store.id(of: identity) else { return true }
    return hasNoSample(id) && session.alerts.signs[identity] == nil
  }

  /// Whether a series surely has no sample in the window.
  private func hasNoSample(_ id: SeriesID) -> Bool {
    let tally = session.store.tally(of: id)
    return tally.end < session.edge - session.window || tally.start > session.edge
  }

  /// How far series are from their usual; those that are not have no entry.
  private var unusual: [SeriesIdentity: Double] {
    var found: [SeriesIdentity: Double] = [:]
    let compared = session.store.count <= LiveOrder.comparedLimit ? session.store.allSeries : []
    for id in compared {
      guard let identity = session.store.identity(of: id), !AnomalyScanner.isEngineRecord(identity),
        let usual = UsualRange(of: id, in: session.store, before: session.present),
        case .number(let now) = lastValue(of: id, isAhead: false)
      else { continue }
      let distance = usual.distance(of: now)
      if distance > 1 { found[identity] = min(9, distance) }
    }
    for (identity, sign) in session.alerts.signs where sign == .silent { found[identity] = 10 }
    // What lasts weighs more than what is over, and a limit that a person set more than either.
    let moment = session.present.seconds
    for group in session.incidents.groups.suffix(Incidents.eventLimit) {
      for entry in group.entries where entry.incident.kind != .silent {
        let distance = (entry.incident.covers(moment) ? 1000 : 20) + min(500, entry.incident.severity)
        found[entry.series] = max(found[entry.series] ?? 0, distance)
      }
    }
    for event in session.alerts.events {
      guard let series = event.series else { continue }
      let distance: Double = event.kind == .overLimit ? 10_000 : event.kind == .aboveOwn ? 1000 : 0
      if distance > 0 { found[series] = max(found[series] ?? 0, distance) }
    }
    return found
  }
}

/// What the last hour says is usual for a series.
struct UsualRange: Sendable, Equatable {
  let p1: Double
  let p5: Double
  let p50: Double
  let p95: Double
  let p99: Double

  /// Fewer samples say nothing about what is usual.
  private static let leastSamples = 20
  /// The hour ends at a multiple of these seconds, so that it need not be computed for each picture.
  static let step = Session.longestStep

  /// - Returns: `nil` with too few samples.
  init?(of id: SeriesID, in store: SeriesStore, before present: Timestamp) {
    let end = present.rounded(.up, toMultipleOf: Self.step)
    let hour = store.summary(
      of: id, from: end - Session.reach, to: end, percentiles: [1, 5, 50, 95, 99], exactLimit: 0)
    guard hour.moments.count >= Self.leastSamples, hour.quantiles.count == 5 else { return nil }
    let values = hour.quantiles.map(\.value)
    (p1, p5, p50, p95, p99) = (values[0], values[1], values[2], values[3], values[4])
  }

  /// How far a value is from the median: 1 at the 95th percentile or the 5th.
  func distance(of value: Double) -> Double {
    let width = value > p50 ? p95 - p50 : p50 - p5
    guard width > 0 else { return value == p50 ? 0 : 2 }
    let distance = abs(value - p50) / width
    return distance.isFinite ? distance : 0
  }
}
