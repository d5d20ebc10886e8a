import Aggregation
import JSONLines
import Platform

/// The clocks of the followed sources.
struct SourceClocks: Sendable {
  private struct Source: Sendable {
    let name: String
    var clock = ClockSkew()
    var zoneOffset: Int?
    var lastArrival = Timestamp.distantPast
    var series: [SeriesID] = []
    var listedAt = Timestamp.distantPast

    /// Arrival minus stamp if they differ, otherwise 0.
    var difference: Double { ClockSkew.difference(clock.seconds) }
  }

  private var sources: [Int: Source] = [:]
  /// The sources with another clock.
  private var skewed: Set<Int> = []
  /// Arrival minus stamp of the series of sources with another clock; of a series of several, the least difference.
  private(set) var seriesSkews: [SeriesID: Double] = [:]

  /// Seconds without a line after which a source no longer counts as one that is on time.
  private static let reach = 60.0
  /// Seconds between two looks at which series a source has.
  private static let listInterval = 1.0

  /// Records the newest stamp of a batch that has been added to the store.
  ///
  /// - Parameter isLive: False for data present at the opening.
  mutating func note(_ stamp: Timestamp?, of intake: MemberIntake, at now: Timestamp, isLive: Bool) {
    guard let stamp else { return }
    let index = intake.member.index
    var source = sources.removeValue(forKey: index) ?? Source(name: intake.member.path)
    let before = source.difference
    if isLive {
      source.clock.note(stamp, at: now)
      source.lastArrival = now
    } else {
      source.clock.open(with: stamp, at: now)
    }
    source.zoneOffset = intake.zoneOffset(at: now)
    let difference = source.difference
    if difference != 0 { skewed.insert(index) } else { skewed.remove(index) }
    let isDue = abs(now - source.listedAt) >= Self.listInterval
    guard before != difference || !skewed.isEmpty && isDue else {
      sources[index] = source
      return
    }
    (source.series, source.listedAt) = (intake.series, now)
    sources[index] = source
    spread()
  }

  private mutating func spread() {
    seriesSkews = [:]
    guard !skewed.isEmpty else { return }
    for source in sources.values {
      let difference = source.difference
      for id in source.series {
        let known = seriesSkews[id] ?? difference
        seriesSkews[id] = known.magnitude < difference.magnitude ? known : difference
      }
    }
    seriesSkews = seriesSkews.filter { $0.value != 0 }
  }

  /// The sources with another clock, and whether one that is still written has none.
  func report(at now: Timestamp) -> (skews: [SourceSkew], hasPunctualSource: Bool) {
    var (skews, isAnyPunctual) = ([SourceSkew](), false)
    for (_, source) in sources.sorted(by: { $0.key < $1.key }) {
      let difference = source.difference
      if difference != 0 {
        skews.append(
          SourceSkew(source: source.name, seconds: difference, zoneOffset: source.zoneOffset))
      } else if now - source.lastArrival < Self.reach {
        isAnyPunctual = true
      }
    }
    return (skews, isAnyPunctual)
  }
}
