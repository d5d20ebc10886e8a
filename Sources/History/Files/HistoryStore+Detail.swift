import Aggregation
import Essentials
import JSONLines
import Platform

// One sample and its context.
extension HistoryStore {
  /// Maximum bytes shown of a line.
  private static let textLimit: UInt64 = 8192
  /// Half of the period that a sample is compared with, in seconds.
  private static let halfHour = 1800.0
  /// Maximum number of neighbours reported.
  private static let neighbourLimit = 200

  func detail(of focus: SeriesIdentity, _ row: HistoryRow, _ query: HistoryQuery) throws -> HistoryDetail {
    let file = files[row.place.file]
    let start = try LineStart.offset(ofLineAt: row.place.offset) { try file.bytes.bytes($0) }
    let text = try rawRecord(at: row.place.offset, inLineAt: start, of: file.bytes)
    var detail = HistoryDetail(row: row, path: file.path, rawLine: text)
    let hour = try sums(in: row.time - Self.halfHour..<row.time + Self.halfHour, .allWithHistograms)
    let own = hour[focus]
    detail.hourCount = own.cell.count
    if case .number(let value) = row.value {
      detail.rank = try exactShare(of: value, focus, around: row.time) ?? own.cell.share(notAbove: value)
    }
    detail.peers = Self.peers(of: row, focus, hour)
    // Samples after a change do not tell what was usual before it.
    let before = try sums(in: row.time - 2 * Self.halfHour..<row.time, .allWithHistograms)
    detail.others = try others(at: row.time, of: focus, before)
    return detail
  }

  /// The line of a sample, or its record if the line holds several.
  private func rawRecord(at place: UInt64, inLineAt start: UInt64, of file: any HistoryBytes) throws -> String
  {
    // A sample of a long line lies beyond what is shown of it.
    let line = try file.bytes(start..<max(place, start) + Self.textLimit).prefix { $0 != 0x0A }
    return line.withUnsafeBytes { line in
      let record = LineStart.record(at: place - start, in: line)
      return String(decoding: line[record].prefix(Int(Self.textLimit)), as: UTF8.self)
    }
  }

  /// Maximum number of blocks read for an exact rank.
  private static let exactBlocks = 32

  /// The share of the hour's numbers that are not above a value; `nil` if too much would have to be read.
  private func exactShare(
    of value: Double, _ focus: SeriesIdentity, around time: Timestamp
  ) throws -> ClosedRange<Double>? {
    let hour = time - Self.halfHour..<time + Self.halfHour
    let blocks = try files.map { try $0.blocks(in: hour) }
    guard blocks.reduce(0, { $0 + $1.count }) <= Self.exactBlocks else { return nil }
    var (all, below) = (0, 0)
    for (file, numbers) in zip(files, blocks) {
      for number in numbers {
        try file.block(number).forEachValue(of: focus, in: hour) { _, _, found in
          guard case .number(let found) = found else { return }
          all += 1
          if found <= value { below += 1 }
        }
      }
    }
    guard all > 0 else { return nil }
    let share = Double(below) / Double(all)
    return share...share
  }

  /// Number of samples in the hour with the same text or bool in each of a struct's fields.
  private static func peers(of row: HistoryRow, _ focus: SeriesIdentity, _ hour: SeriesSums) -> [HistoryPeers]
  {
    row.fields.compactMap { field in
      guard let label = field.value.label else { return nil }
      let identity = SeriesIdentity(
        bucket: focus.bucket, name: focus.name, typeName: focus.typeName, field: field.name)
      let count = hour[identity].count(of: label)
      return count > 0 ? HistoryPeers(field: field.name, value: label, count: count) : nil
    }
  }

  /// The last values of the other series that are beyond their noise at a moment, the least likely first.
  private func others(at moment: Timestamp, of focus: SeriesIdentity, _ hour: SeriesSums) throws
    -> [HistoryNeighbour]
  {
    var last: [SeriesIdentity: (value: SeriesValue, time: Timestamp)] = [:]
    for file in files {
      let near = try file.blocks(in: moment - Self.halfHour..<moment.nextUp)
      // The block that holds the moment, and the one before it. Blocks without an index are included whatever their
      // times, so the last ones may all begin later.
      let end = try near.firstPlace { number in try !file.block(number).hasSample(notAfter: moment) }
      for number in near[..<end].suffix(2) { try file.block(number).takeLast(before: moment, into: &last) }
    }
    let moved = last.compactMap { identity, found -> (neighbour: HistoryNeighbour, distance: Double)? in
      let sum = hour[identity]
      guard identity != focus, moment - found.time <= HistoryNeighbour.oldAge,
        let distance = sum.distance(of: found.value)
      else { return nil }
      let usual = sum.cell.quantiles([50], of: identity).first
      return (
        HistoryNeighbour(identity: identity, value: found.value, time: found.time, usual: usual), distance
      )
    }
    let sorted = moved.sorted { one, other in
      (other.distance, one.neighbour.identity.label) < (one.distance, other.neighbour.identity.label)
    }
    return sorted.prefix(Self.neighbourLimit).map(\.neighbour)
  }

  /// All samples in a period before a moment, for screens that draw from a store; `nil` if there are too many.
  func store(before moment: Timestamp, span: Double) throws -> SeriesStore? {
    let window = moment - max(0, span)..<moment.nextUp
    var store = SeriesStore()
    for file in files {
      let blocks = try file.blocks(in: window)
      guard blocks.count <= 48 else { return nil }
      for number in blocks { try file.block(number).record(window, into: &store) }
    }
    return store
  }
}

extension SeriesSums.Sum {
  /// Minimum number of samples to judge by.
  private static let fewest = 20
  /// Distance from the median in standard deviations, estimated from the quartiles, beyond which a number has moved:
  /// one in a hundred of an exponential tail.
  private static let far = 4.0
  /// The smallest deviation, as a share of the median.
  private static let floor = 0.02
  /// Share of the samples up to which outcomes as rare as one, or numbers as far among equal ones, are unusual.
  private static let rare = 0.02

  /// The distance of a value from what is usual, in units of the series' own spread; `nil` within its noise.
  ///
  /// An incident of less than a quarter of the hour does not move the quartiles.
  fileprivate func distance(of value: SeriesValue) -> Double? {
    guard cell.count >= Self.fewest else { return nil }
    guard case .number(let number) = value else {
      guard let label = value.label else { return nil }
      let own = count(of: label) + 1
      // Among identifiers, each of which comes once, none is rarer than the others.
      var asRare = own
      for other in values where other.text != label {
        if other.count <= own || other.text == TextTable.other { asRare += other.count }
      }
      let share = Double(asRare) / Double(cell.count + 1)
      return share <= Self.rare ? -log2(share) : nil
    }
    let quartiles = cell.quantiles([25, 50, 75]).map(\.value)
    guard quartiles.count == 3, number.isFinite else { return nil }
    let isLogarithmic = quartiles[0] > 0 && number > 0
    let scaled = isLogarithmic ? quartiles.map { log($0) } : quartiles
    let shift = (isLogarithmic ? log(number) : number) - scaled[1]
    let spread = (shift > 0 ? scaled[2] - scaled[1] : scaled[1] - scaled[0]) / 0.6745
    let floor = isLogarithmic ? Self.floor : Self.floor * scaled[1].magnitude
    let distance = shift.magnitude / max(spread, floor, .leastNormalMagnitude)
    guard distance >= Self.far, spread > floor || isRare(number, isAbove: shift > 0) else { return nil }
    return min(1e6, distance)
  }

  /// True if few numbers are as far on the same side.
  private func isRare(_ number: Double, isAbove: Bool) -> Bool {
    guard let share = cell.share(notAbove: isAbove ? number.nextDown : number) else { return false }
    return (isAbove ? 1 - share.upperBound : share.lowerBound) <= Self.rare
  }
}

extension IndexCell {
  /// The share of the numbers that are not above a value, as lower and upper bound.
  package func share(notAbove value: Double) -> ClosedRange<Double>? {
    guard numbers > 0 else { return nil }
    var (surely, perhaps) = (0, 0)
    for bin in sketch.intervals {
      if bin.upper <= value { surely &+= bin.count }
      if bin.lower <= value { perhaps &+= bin.count }
    }
    if value >= maximum { surely = numbers }
    let all = Double(numbers)
    return min(1, Double(surely) / all)...min(1, Double(max(surely, perhaps)) / all)
  }
}

extension Array {
  /// The first index for which a monotone predicate is true; the end if there is none.
  fileprivate func firstPlace(where isBeyond: (Element) throws -> Bool) rethrows -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if try isBeyond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension DecodedBlock {
  /// True if a sample lies at or before a moment.
  fileprivate func hasSample(notAfter moment: Timestamp) -> Bool {
    batch.samples.contains { $0.time <= moment }
  }

  /// Updates `last` with the latest value of each series at or before a moment.
  fileprivate func takeLast(
    before moment: Timestamp, into last: inout [SeriesIdentity: (value: SeriesValue, time: Timestamp)]
  ) {
    var newest = [Int](repeating: -1, count: catalogue.count)
    for (place, sample) in batch.samples.enumerated() where sample.time <= moment {
      let metric = Int(sample.metric.rawValue)
      if newest[metric] < 0 || batch.samples[newest[metric]].time <= sample.time { newest[metric] = place }
    }
    for place in newest where place >= 0 {
      let sample = batch.samples[place]
      let role = PayloadRole(catalogue[sample.metric])
      SampleValues.forEachOfSeries(of: sample, in: batch, role) { field, value in
        let identity = SeriesIdentity(catalogue[sample.metric], field: field)
        if let known = last[identity], known.time > sample.time { return }
        last[identity] = (value, sample.time)
      }
    }
  }

  /// Records the samples of a window.
  func record(_ window: Range<Timestamp>, into store: inout SeriesStore) {
    var fold = SampleFold()
    fold.fold(batch, catalogue, into: &store, window: window)
  }
}
