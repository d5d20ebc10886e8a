import Aggregation
import JSONLines
import Platform

/// Sums of a block's samples by slot and series; filled by one thread.
struct BlockTally: Sendable {
  struct Slot: Sendable {
    let key: Int64
    var cells: [IndexCell] = []
    /// The series of each cell, by its number in `TallyNames.series`.
    var series: [Int32] = []
    fileprivate var places: [Int32: Int32] = [:]
    fileprivate var densePlaces: [Int32] = []
  }

  let exponent: Int
  private let withHistograms: Bool
  private(set) var slots: [Slot] = []
  private(set) var firstTime = Timestamp.distantFuture
  private(set) var lastTime = Timestamp.distantPast
  private(set) var samples = 0
  private var slotPlaces: [Int64: Int] = [:]
  private var current = -1
  private var currentKey = Int64.min

  /// Series numbers below this are looked up in a table, others by hash.
  private static let denseLimit: Int32 = 2048

  /// - Parameter withHistograms: true if percentiles will be needed.
  init(exponent: Int, withHistograms: Bool = true) {
    self.exponent = exponent
    self.withHistograms = withHistograms
  }

  /// Adds the samples that lie in a window.
  mutating func add(
    _ batch: SampleBatch, _ catalogue: MetricCatalogue, names: inout TallyNames,
    window: Range<Timestamp> = .allTime
  ) {
    for sample in batch.samples {
      let time = sample.time.clamped
      guard time >= window.lowerBound, time < window.upperBound else { continue }
      samples += 1
      firstTime = min(firstTime, time)
      lastTime = max(lastTime, time)
      let key = SlotTime.key(of: time, exponent: exponent)
      if key != currentKey { select(key) }
      if sample.kind == .number {
        let place = cell(of: names.number(of: sample.metric, in: catalogue))
        slots[current].cells[place].record(number: sample.value, at: time, withHistogram: withHistograms)
      } else {
        record(sample, at: time, of: batch, catalogue, &names)
      }
    }
  }

  @inline(never)
  private mutating func record(
    _ sample: Sample, at time: Timestamp, of batch: SampleBatch, _ catalogue: MetricCatalogue,
    _ names: inout TallyNames
  ) {
    let role = names.roles.role(of: sample.metric, in: catalogue)
    SampleValues.forEachOfSeries(of: sample, in: batch, role) { field, value in
      let series = names.number(of: sample.metric, field: field, in: catalogue)
      let place = cell(of: series)
      slots[current].cells[place].note(time)
      switch value {
      case .number(let number) where number.isFinite:
        slots[current].cells[place].record(number: number, at: time, withHistogram: withHistograms)
      case .number, .null: slots[current].cells[place].nulls += 1
      case .bool(true): slots[current].cells[place].trues += 1
      case .bool(false): slots[current].cells[place].falses += 1
      case .text(let text):
        slots[current].cells[place].record(text: names.number(ofText: text, series: series))
      }
    }
  }

  @inline(never)
  private mutating func select(_ key: Int64) {
    currentKey = key
    if let known = slotPlaces[key] {
      current = known
    } else {
      current = slots.count
      slotPlaces[key] = current
      slots.append(Slot(key: key))
    }
  }

  /// The index of a series' cell in the current slot.
  @inline(__always)
  private mutating func cell(of series: Int32) -> Int {
    if series < slots[current].densePlaces.count {
      let place = slots[current].densePlaces[Int(series)]
      if place >= 0 { return Int(place) }
    }
    return newCell(of: series)
  }

  @inline(never)
  private mutating func newCell(of series: Int32) -> Int {
    let place = Int32(truncatingIfNeeded: slots[current].cells.count)
    if series < Self.denseLimit {
      let missing = Int(series) + 1 - slots[current].densePlaces.count
      if missing > 0 { slots[current].densePlaces += [Int32](repeating: -1, count: missing + 15) }
      slots[current].densePlaces[Int(series)] = place
    } else if let known = slots[current].places[series] {
      return Int(known)
    } else {
      slots[current].places[series] = place
    }
    slots[current].cells.append(IndexCell())
    slots[current].series.append(series)
    return Int(place)
  }
}

/// The series found by one thread, with numbers of its own, so that threads share nothing.
struct TallyNames: Sendable {
  private(set) var series: [SeriesIdentity] = []
  private(set) var texts: [Int32: TextTable] = [:]
  fileprivate var roles = PayloadRoles()
  private var metrics: [Int32] = []
  private var fields: [Int32: [String: Int32]] = [:]

  @inline(__always)
  mutating func number(of metric: MetricID, in catalogue: MetricCatalogue) -> Int32 {
    let index = Int(metric.rawValue)
    if index < metrics.count, metrics[index] >= 0 { return metrics[index] }
    return add(metric, catalogue)
  }

  @inline(never)
  private mutating func add(_ metric: MetricID, _ catalogue: MetricCatalogue) -> Int32 {
    let index = Int(metric.rawValue)
    let missing = max(catalogue.count, index + 1) - metrics.count
    if missing > 0 { metrics += [Int32](repeating: -1, count: missing) }
    metrics[index] = append(SeriesIdentity(catalogue[metric], field: nil))
    return metrics[index]
  }

  mutating func number(of metric: MetricID, field: String?, in catalogue: MetricCatalogue) -> Int32 {
    guard let field else { return number(of: metric, in: catalogue) }
    if let known = fields[metric.rawValue]?[field] { return known }
    let number = append(SeriesIdentity(catalogue[metric], field: field))
    fields[metric.rawValue, default: [:]][field] = number
    return number
  }

  mutating func number(ofText text: String, series: Int32) -> Int {
    texts[series, default: TextTable()].number(of: text, allowNew: true)
  }

  private mutating func append(_ identity: SeriesIdentity) -> Int32 {
    series.append(identity)
    return Int32(truncatingIfNeeded: series.count - 1)
  }
}
