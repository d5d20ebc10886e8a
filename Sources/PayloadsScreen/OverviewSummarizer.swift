import Aggregation
import DashboardCore
import History
import TelemetryCore

/// Computes the numbers of one side with the library's arithmetic, and the basis for their comparison.
struct OverviewSummarizer {
  /// The basis for comparing two sides.
  enum Basis {
    /// Device-days, each with its samples.
    case days([(day: Int, samples: TimeHistogram)])
    /// A number per device-day, or per diagnostic.
    case numbers([(day: Int, value: Double)])
    /// The number of events per device-day, and the hours of use where known.
    case counts([(day: Int, count: Double, hours: Double?)])

    /// One number per device-day: the mean of its samples, its value, or its count.
    var values: [(day: Int, value: Double)] {
      switch self {
      case .days(let days):
        days.compactMap { day, samples in
          samples.average(method: .pooled).map { (day: day, value: $0.value) }
        }
      case .numbers(let numbers): numbers
      case .counts(let counts): counts.map { (day: $0.day, value: $0.count) }
      }
    }
  }

  typealias Result = (value: OverviewValue, basis: Basis)

  let columns: PayloadColumns
  /// True if the payloads are simulated; their hangs are shorter than any that a device reports.
  let isSimulated: Bool

  // MARK: Times

  func days(of figure: OverviewFigure) -> [(day: Int, samples: TimeHistogram)] {
    columns[figure].bins.map { ($0.day, TimeHistogram($0.bins.map(TimeHistogram.Bin.init))) }
  }

  /// The samples of all device-days combined.
  func times(_ days: [(day: Int, samples: TimeHistogram)]) -> Result? {
    let all = TimeHistogram.merging(days.map(\.samples))
    guard let average = all.average(method: .pooled) else { return nil }
    let value = OverviewValue(
      value: average.value, doubt: max(average.upper - average.value, average.value - average.lower),
      count: .samples(average.count), percentiles: all.values(atPercentiles: Self.percentiles))
    return (value, .days(days))
  }

  /// The rates of hangs: pooled, of the median device-day, and the 90th percentile of device-days.
  func hangRates(_ figure: OverviewFigure) -> (pooled: Result, median: Result, ninetieth: Result)? {
    var hangs = [TimeHistogram?](repeating: nil, count: columns.days)
    for (day, bins) in columns[figure].bins { hangs[day] = TimeHistogram(bins.map(TimeHistogram.Bin.init)) }
    guard hangs.contains(where: { $0 != nil }) else { return nil }
    let shortest = isSimulated ? nil : HangRate.shortestHang
    // A day of use that reports no hangs had none.
    let days = zip(hangs, columns.foreground).enumerated().compactMap { number, day in
      let (hangs, foreground) = day
      return hangs == nil && foreground == nil
        ? nil
        : (number: number, day: HangRates.Day(hangs: hangs ?? TimeHistogram(), foreground: foreground))
    }
    guard let rates = HangRates(days.map(\.day), countingFrom: shortest) else { return nil }
    let ofDays = days.compactMap { number, day in
      HangRate(day.hangs, foreground: day.foreground, countingFrom: shortest).map {
        (day: number, value: $0.value)
      }
    }
    let result = { (rate: HangRate, margin: Double?) -> Result in
      let value = OverviewValue(
        value: rate.value,
        doubt: margin.map { $0 + max(rate.upper - rate.value, rate.value - rate.lower) } ?? 0,
        count: .days(rates.days), percentiles: Self.percentiles(of: ofDays.map(\.value)))
      return (value, .numbers(ofDays))
    }
    let margin = Self.marginOfRate(
      ofDays.compactMap { day, rate in columns.foreground[day].map { (rate: rate, hours: $0 / 3600) } })
    return (result(rates.pooled, margin), result(rates.median, nil), result(rates.ninetiethPercentile, nil))
  }

  /// The margin of error of a rate over all hours at 95 % confidence, from how much the days differ from it.
  private static func marginOfRate(_ days: [(rate: Double, hours: Double)]) -> Double {
    let hours = days.reduce(0) { $0 + $1.hours }
    guard days.count > 1, hours > 0 else { return 0 }
    let rate = days.reduce(0) { $0 + $1.rate * $1.hours } / hours
    let squares = days.reduce(0) { sum, day in
      let surplus = (day.rate - rate) * day.hours
      return sum + surplus * surplus
    }
    let count = Double(days.count)
    let margin = 1.96 * (squares * count / (count - 1)).squareRoot() / hours
    return margin.isFinite ? margin : 0
  }

  // MARK: Numbers

  func number(_ figure: OverviewFigure) -> Result? {
    let numbers = columns[figure].numbers
    switch figure.kind {
    case .sum: return sum(numbers)
    case .hitches: return hitches(numbers)
    case .signal: return signal(columns[figure].bins)
    case .level, .mean, .times, .hangs, .exits:
      // Diagnostics are independent events, and a payload may have many.
      return level(numbers) { figure.section == .diagnostics ? .samples($0) : .days($0) }
    }
  }

  private func sum(_ numbers: [(day: Int, value: Double)]) -> Result? {
    guard
      let figures = ScalarFigures(
        numbers.map { ScalarFigures.Day(value: $0.value, foreground: columns.foreground[$0.day]) })
    else { return nil }
    let value = OverviewValue(
      value: figures.perDay, count: .days(figures.days), total: figures.total,
      perHour: figures.perForegroundHour, percentiles: Self.percentiles(of: numbers.map(\.value)))
    return (value, .numbers(numbers))
  }

  private func level(
    _ numbers: [(day: Int, value: Double)], count: (Int) -> OverviewValue.Count = { .days($0) }
  ) -> Result? {
    guard let figures = ScalarFigures(numbers.map { ScalarFigures.Day(value: $0.value, foreground: nil) })
    else { return nil }
    let value = OverviewValue(
      value: figures.perDay, count: count(figures.days),
      percentiles: Self.percentiles(of: numbers.map(\.value)))
    return (value, .numbers(numbers))
  }

  /// A mean, with its sample counts and deviations, which are separate figures.
  func mean(_ figure: OverviewFigure, counts: Int?, deviations: Int?) -> Result? {
    let byDay = { (place: Int?) in
      place.map { Dictionary(columns[$0].numbers.map { ($0.day, $0.value) }) { first, _ in first } } ?? [:]
    }
    let (counts, deviations) = (byDay(counts), byDay(deviations))
    let averages = columns[figure].numbers.compactMap { day, value in
      SampledAverage(
        mean: value, standardDeviation: deviations[day],
        count: Int(exactly: counts[day]?.rounded() ?? 1) ?? (counts[day] ?? 0 > 0 ? .max : 0)
      ).map { (day: day, average: $0) }
    }
    guard let all = SampledAverage.combining(averages.map(\.average)) else { return nil }
    let means = averages.map { (day: $0.day, value: $0.average.mean) }
    let value = OverviewValue(
      value: all.mean, count: .days(averages.count), percentiles: Self.percentiles(of: means.map(\.value)))
    return (value, .numbers(means))
  }

  private func hitches(_ numbers: [(day: Int, value: Double)]) -> Result? {
    var ratios = [Double?](repeating: nil, count: columns.days)
    for (day, value) in numbers { ratios[day] = value }
    let days = ratios.indices.map { day in
      HitchRatio.Day(
        ratio: ratios[day], hasAnimations: columns.hasAnimations.contains(day),
        foreground: columns.foreground[day])
    }
    guard let mean = HitchRatio.mean(of: days) else { return nil }
    let known = days.enumerated().compactMap { day, ratio in ratio.known.map { (day: day, value: $0) } }
    let value = OverviewValue(
      value: mean, count: .days(known.count), percentiles: Self.percentiles(of: known.map(\.value)))
    return (value, .numbers(known))
  }

  private func signal(_ days: [(day: Int, bins: [PayloadArchive.Bin])]) -> Result? {
    level(
      days.compactMap { day, bins in
        CellularHistogram(bins.map { .init(bars: $0.start, upTo: $0.end, percent: $0.count) }).averageBars
          .map { (day, $0) }
      })
  }

  // MARK: Exits

  /// The exits for one reason, per hour of use if that time is known for all days, otherwise per device-day.
  ///
  /// A payload that reports the time of use but no exits counts as a day without exits.
  func exits(_ figure: OverviewFigure) -> Result? {
    guard case .exits(let reason) = figure.kind else { return nil }
    let days = columns.foreground.indices.filter {
      columns.hasExits.contains($0) || columns.foreground[$0] != nil
    }
    guard !days.isEmpty, !columns.hasExits.isEmpty else { return nil }
    var counts = [Double](repeating: 0, count: columns.days)
    for (day, value) in columns[figure].numbers where value > 0 { counts[day] = value }
    let values = days.map { counts[$0] }
    let times = days.compactMap { columns.foreground[$0] }
    let all = ExitFigures(values.map { (reason, Int(exactly: $0.rounded()) ?? .max) }, foreground: nil)
    // Otherwise exits of days without a known time would be divided by the time of other days.
    let timed = days.filter { columns.foreground[$0] != nil }.map { counts[$0] }
    let foreground = times.isEmpty || times.count * 2 < days.count ? nil : times.reduce(0, +)
    let ofHours = ExitFigures(
      timed.map { (reason, Int(exactly: $0.rounded()) ?? .max) }, foreground: foreground)
    let rate = ofHours.figures.first?.perForegroundHour ?? foreground.map { _ in 0 }
    let bounds = DiagnosticTally.bounds(of: values)
    let value = OverviewValue(
      value: Double(all.count) / Double(days.count),
      doubt: max(bounds.upper - Double(all.count), Double(all.count) - bounds.lower) / Double(days.count),
      count: .days(days.count), total: Double(all.count), perHour: rate,
      percentiles: Self.percentiles(of: values))
    return (value, .counts(days.map { ($0, counts[$0], columns.foreground[$0].map { $0 / 3600 }) }))
  }

  // MARK: Pieces

  private static let percentiles = [50.0, 95]

  /// The percentiles of numbers that are known individually.
  private static func percentiles(of numbers: [Double]) -> [TimePercentile] {
    histogram(numbers).values(atPercentiles: percentiles)
  }

  private static func histogram(_ numbers: [Double]) -> TimeHistogram {
    TimeHistogram(numbers.map { TimeHistogram.Bin(start: $0, end: $0, count: 1) })
  }

  /// The difference between two sides, if any.
  static func finding(_ a: Basis, against b: Basis, _ origins: PayloadOrigins) -> ComparisonVerdict? {
    switch (a, b) {
    case (.days(let a), .days(let b)):
      let known = (a: a.filter { !$0.samples.isEmpty }, b: b.filter { !$0.samples.isEmpty })
      return SideComparison(
        days: known.b.map(\.samples), with: known.a.map(\.samples),
        by: origins.dealings(
          first: known.b.map { ($0.day, $0.samples.intervals) },
          second: known.a.map { ($0.day, $0.samples.intervals) }),
        precision: .page
      ).verdict
    case (.numbers(let a), .numbers(let b)):
      let point = { (value: Double) in HistogramBin(lower: value, upper: value, count: 1) }
      let sides = [b, a].map { $0.map { (day: $0.day, bins: [point($0.value)]) } }
      let sorted = [b, a].map { $0.map(\.value).sorted().map(point) }
      return SideComparison(
        sorted[0], with: sorted[1],
        by: [.samples] + origins.dealings(first: sides[0], second: sides[1]), precision: .page
      ).verdict
    case (.counts(let a), .counts(let b)):
      let isOfHours = (a + b).allSatisfy { $0.hours ?? 0 > 0 }
      let stretches = [b, a].map {
        $0.map { RateComparison.Tally(count: $0.count, exposure: isOfHours ? $0.hours ?? 1 : 1) }
      }
      return RateComparison(
        stretches[0], stretches[1], keys: origins.keys(first: b.map(\.day), second: a.map(\.day))
      ).verdict
    default: return nil
    }
  }
}
