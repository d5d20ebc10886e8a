import Aggregation
import Codecs
import Platform

/// Writes payloads as OpenMetrics: for each day and set of labels, the sum, count, least and largest of a figure, and
/// histograms that grow from day to day.
///
/// All payloads of a day share a time, so that a query at a moment sees the whole day. A day is the date on which a
/// payload begins, as written there.
struct OpenMetricsPayloads {
  /// Number of bounds of a histogram, the infinite one included: the most, and the fewest that many days leave.
  static let boundLimits = 12...64
  /// Number of lines that the buckets of all histograms should take: a reader keeps each for every day.
  private static let bucketBudget = 30_000
  /// States tell figures apart, so they are no choice.
  static let usualLabels = ["version", "state"]

  private let archive: PayloadArchive
  private let options: ExportOptions
  private let labels: PayloadLabels
  /// The day of each payload, and the time of each day.
  private let days: [Int]
  private let times: [Timestamp]
  /// The text of each payload's labels, without the state.
  private let labelTexts: [[UInt8]]

  private struct Group: Hashable {
    let day: Int
    let labels: [UInt8]
  }

  /// The values of one family.
  private struct Family {
    let name: String
    let unit: ExportOptions.Unit
    /// The recorded unit.
    let word: String
    let isOfBins: Bool
    /// By payload, in order of time: the state and the place of the value.
    var values: [(payload: Int, state: String, place: Int)] = []
  }

  init(_ archive: PayloadArchive, _ options: ExportOptions) {
    (self.archive, self.options) = (archive, options)
    var names = options.labels ?? Self.usualLabels
    if options.isEach { names.append("payload") }
    labels = PayloadLabels(names, archive)
    let found = Self.days(of: archive.payloads, isEach: options.isEach)
    (days, times) = (found.days, found.times)
    let fixed = OpenMetricsWriter.labels(options.fixed)
    labelTexts = archive.payloads.map { [labels] in Self.text(of: $0, labels, after: fixed) }
  }

  // MARK: Days

  private static func days(
    of payloads: [PayloadArchive.Payload], isEach: Bool
  ) -> (days: [Int], times: [Timestamp]) {
    guard !isEach else { return (Array(payloads.indices), payloads.map(\.time)) }
    let dates = payloads.map(date)
    let known = Set(dates).sorted()
    let numbers = Dictionary(uniqueKeysWithValues: known.enumerated().map { ($1, $0) })
    let days = dates.map { numbers[$0] ?? 0 }
    var times = [Timestamp](repeating: .distantPast, count: known.count)
    for (day, payload) in zip(days, payloads) { times[day] = max(times[day], payload.time) }
    // A reader rejects a sample that is not later than the one before.
    for day in times.indices.dropFirst() where times[day] <= times[day - 1] {
      times[day] = Timestamp(times[day - 1].seconds + 1)
    }
    return (days, times)
  }

  /// `2026-03-01`, sorted like time.
  private static func date(_ payload: PayloadArchive.Payload) -> String {
    let written = payload.begin.prefix(10)
    if written.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil { return String(written) }
    var iso: [UInt8] = []
    ExportTime.appendISO(payload.time, to: &iso)
    return String(decoding: iso.prefix(10), as: UTF8.self)
  }

  // MARK: Families

  /// Writes all families.
  ///
  /// - Parameter others: The names of other families.
  func write(avoiding others: Set<String>, _ emit: ([UInt8]) throws -> Void) throws {
    var taken = others
    let families = families
    let groups = Set(zip(days, labelTexts).map { Group(day: $0, labels: $1) }).count
    let histograms = max(1, groups * families.count { $0.isOfBins })
    let limit = min(
      max(Self.bucketBudget / histograms, Self.boundLimits.lowerBound), Self.boundLimits.upperBound)
    for family in families {
      var output: [UInt8] = []
      // A figure that is zero throughout, such as most counts of exits, tells no more than one that is absent.
      if !options.isEach, isZero(family) { continue }
      let stem = Self.stem(of: family, avoiding: &taken)
      if family.isOfBins {
        writeBins(of: family, stem, bounds: limit, to: &output)
      } else if options.isEach {
        writeEach(of: family, stem, to: &output)
      } else {
        writeSums(of: family, stem, to: &output)
      }
      try emit(output)
    }
  }

  private func isZero(_ family: Family) -> Bool {
    family.values.allSatisfy { archive.payloads[$0.payload].values[$0.place].value == .number(0) }
  }

  private var families: [Family] {
    var families: [Family] = []
    var places: [[String]: Int] = [:]
    let names = archive.figures.map { labels.figure($0.name) }
    var placeOfFigure: [[Bool: Int]] = Array(repeating: [:], count: names.count)
    for (number, payload) in archive.payloads.enumerated() {
      for (place, (figure, value)) in payload.values.enumerated() where names.indices.contains(figure) {
        let isOfBins = if case .bins = value { true } else { false }
        let family: Int
        if let known = placeOfFigure[figure][isOfBins] {
          family = known
        } else {
          let word = archive.figures[figure].unit
          let key = [names[figure].name, word, "\(isOfBins)"]
          family = places[key] ?? families.count
          if family == families.count {
            families.append(
              Family(
                name: names[figure].name, unit: options.unit(archive.figures[figure]), word: word,
                isOfBins: isOfBins))
            places[key] = family
          }
          placeOfFigure[figure][isOfBins] = family
        }
        families[family].values.append((number, names[figure].state, place))
      }
    }
    return families
  }

  /// The name of a family without its unit and ending, which no other one has with any of them.
  private static func stem(of family: Family, avoiding taken: inout Set<String>) -> String {
    let plain = OpenMetricsWriter.name([PayloadArchive.bucket, family.name])
    var stem = plain
    var number = 1
    while endings(of: family).contains(where: { taken.contains(stem + $0) }) {
      number += 1
      stem = "\(plain)_\(number)"
    }
    for ending in endings(of: family) { taken.insert(stem + ending) }
    return stem
  }

  private static func endings(of family: Family) -> [String] {
    let unit = family.unit.ending
    guard family.isOfBins else { return [unit, "_sum" + unit, "_count", "_min" + unit, "_max" + unit] }
    return [unit] + ["_bucket", "_count", "_sum", "_gcount", "_gsum", "_created"].map { unit + $0 }
  }

  // MARK: Numbers

  private struct Sum {
    var sum = CompensatedSum()
    var count = 0
    var least = Double.infinity
    var most = -Double.infinity
  }

  /// The values of a family by label text, in its order, each with its day.
  private func series(_ family: Family) -> [(
    labels: [UInt8], values: [(day: Int, value: PayloadArchive.Value)]
  )] {
    var places: [[UInt8]: Int] = [:]
    var series: [(labels: [UInt8], values: [(day: Int, value: PayloadArchive.Value)])] = []
    for (payload, state, place) in family.values {
      var text = labelTexts[payload]
      if !state.isEmpty { Self.append("state", state, to: &text) }
      let known = places[text] ?? series.count
      if known == series.count {
        places[text] = known
        series.append((text, []))
      }
      series[known].values.append((days[payload], archive.payloads[payload].values[place].value))
    }
    // Payloads come by time, which need not be the order of days.
    return series.map { ($0.labels, $0.values.sorted { $0.day < $1.day }) }
      .sorted { $0.0.lexicographicallyPrecedes($1.0) }
  }

  private func writeSums(of family: Family, _ stem: String, to output: inout [UInt8]) {
    let unit = family.unit
    let sums = series(family).map { labels, values in
      var days: [(day: Int, sum: Sum)] = []
      for case (let day, .number(let number)) in values where number.isFinite {
        if days.last?.day != day { days.append((day, Sum())) }
        let number = number * unit.factor
        days[days.count - 1].sum.sum.add(number)
        days[days.count - 1].sum.count += 1
        days[days.count - 1].sum.least = min(days[days.count - 1].sum.least, number)
        days[days.count - 1].sum.most = max(days[days.count - 1].sum.most, number)
      }
      return (labels: labels, days: days)
    }
    func write(_ ending: String, _ unit: String?, _ figure: (Sum) -> Double) {
      let name = stem + ending + (unit.map { "_" + $0 } ?? "")
      Self.append(head: name, "gauge", unit, of: family.name, to: &output)
      for (labels, days) in sums {
        for (day, sum) in days { Self.append(name, labels, figure(sum), times[day], to: &output) }
      }
    }
    write("_sum", unit.name) { $0.sum.value }
    write("_count", nil) { Double($0.count) }
    write("_min", unit.name) { $0.least }
    write("_max", unit.name) { $0.most }
  }

  private func writeEach(of family: Family, _ stem: String, to output: inout [UInt8]) {
    let name = stem + family.unit.ending
    Self.append(head: name, "gauge", family.unit.name, of: family.name, to: &output)
    for (labels, values) in series(family) {
      var number = 0
      for case (let day, .number(let value)) in values where value.isFinite {
        number += 1
        var labels = labels
        // A payload of diagnostics has a figure once for each of them.
        if number > 1 { Self.append("number", "\(number)", to: &labels) }
        Self.append(name, labels, value * family.unit.factor, times[day], to: &output)
      }
    }
  }

  // MARK: Histograms

  private func writeBins(of family: Family, _ stem: String, bounds limit: Int, to output: inout [UInt8]) {
    let isOfTimes = family.unit.name == "seconds"
    let name = stem + family.unit.ending
    Self.append(
      head: name, isOfTimes ? "histogram" : "gaugehistogram", family.unit.name, of: family.name, to: &output)
    let series = series(family)
    let bounds = OpenMetricsBounds(
      series.flatMap { $0.values }.flatMap { Self.bins(of: $0.value, family) }, limit: limit - 1)
    for (labels, values) in series {
      var counts = OpenMetricsCounts(bounds)
      for (place, (day, value)) in values.enumerated() {
        // Shares of the time do not add up from day to day.
        if !isOfTimes, place > 0, values[place - 1].day != day { counts = OpenMetricsCounts(bounds) }
        for bin in Self.bins(of: value, family) { counts.add(bin) }
        guard place == values.count - 1 || values[place + 1].day != day else { continue }
        counts.append(
          name, labels, factor: family.unit.factor, isGauge: !isOfTimes, times[day], to: &output)
      }
    }
  }

  private static func bins(of value: PayloadArchive.Value, _ family: Family) -> [HistogramBin] {
    guard case .bins(let bins) = value else { return [] }
    return bins.map {
      HistogramBin(lower: $0.start, upper: $0.upper(unit: family.word), count: $0.count)
    }
  }

  // MARK: Text

  private static func text(
    of payload: PayloadArchive.Payload, _ labels: PayloadLabels, after fixed: [UInt8]
  ) -> [UInt8] {
    var text = fixed
    for (name, value) in zip(labels.names, labels.values(of: payload, state: "")) where !value.isEmpty {
      append(name, value, to: &text)
    }
    for mark in payload.marks where mark.isSet { append(mark.name, "true", to: &text) }
    return text
  }

  private static func append(_ name: String, _ value: String, to text: inout [UInt8]) {
    if !text.isEmpty { text.append(UInt8(ascii: ",")) }
    OpenMetricsWriter.append(label: OpenMetricsWriter.name([name]), Array(value.utf8)[...], to: &text)
  }

  private static func append(
    head name: String, _ type: String, _ unit: String?, of figure: String, to output: inout [UInt8]
  ) {
    output += "# TYPE \(name) \(type)\n".utf8
    if let unit { output += "# UNIT \(name) \(unit)\n".utf8 }
    output += "# HELP \(name) ".utf8
    OpenMetricsWriter.append(escaping: Array(figure.utf8)[...], to: &output)
    output.append(UInt8(ascii: "\n"))
  }

  static func append(
    _ name: String, _ labels: [UInt8], _ value: Double, _ time: Timestamp, to output: inout [UInt8]
  ) {
    var figure: [UInt8] = []
    Decimals.append(value, to: &figure)
    OpenMetricsWriter.append(name, labels, nil, figure[...], time, to: &output)
  }
}

extension ExportOptions.Unit {
  /// The end of the name of a family with this unit.
  fileprivate var ending: String { name.map { "_" + $0 } ?? "" }
}
