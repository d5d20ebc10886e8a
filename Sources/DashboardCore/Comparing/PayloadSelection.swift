package import Aggregation
package import History
import Platform
package import TelemetryCore

/// The payloads of a choice that count, and what is to be known of them.
///
/// Payloads of one version alone that no simulation made count. Where there is none, those that mix versions do, and where
/// there is none of these either, simulated ones; then the marks say so.
package struct PayloadSelection: Sendable {
  /// Where the figures of the payloads are named.
  package let archive: PayloadArchive
  /// The payloads that count.
  package private(set) var payloads: [PayloadArchive.Payload]
  package let marks: PayloadMarks
  /// How many real payloads were left out because they tell of other versions too.
  package let mixedLeftOut: Int
  /// How many were left out because a simulation made them.
  package let simulatedLeftOut: Int

  /// - Parameter ofDiagnostics: True for figures of diagnostics, which are in payloads of their own.
  package init(_ archive: PayloadArchive, _ choice: SampleCube.Choice, ofDiagnostics: Bool = false) {
    self.archive = archive
    // In the order of trust: only what is at the first place that has any counts.
    var classes = [[PayloadArchive.Payload]](repeating: [], count: 4)
    // Diagnostics are no days of a device: real ones must not hide the only metrics there are, simulated ones.
    for payload in archive.payloads
    where payload.isCounted(amongDiagnostics: ofDiagnostics) && payload.matches(choice) {
      classes[(payload.isSimulated ? 2 : 0) + (payload.isMixed ? 1 : 0)].append(payload)
    }
    let taken = classes.firstIndex { !$0.isEmpty } ?? 0
    payloads = classes[taken]
    mixedLeftOut = taken == 1 ? 0 : classes[1].count
    simulatedLeftOut = (2..<4).reduce(0) { $0 + ($1 == taken ? 0 : classes[$1].count) }
    var marks: PayloadMarks = []
    if taken >= 2 { marks.insert(.simulated) }
    if taken % 2 == 1 { marks.insert(.mixed) }
    if payloads.contains(where: \.isLocalized) { marks.insert(.localized) }
    self.marks = marks
  }

  /// The selection for one figure.
  package init(_ archive: PayloadArchive, _ choice: SampleCube.Choice, for figure: String) {
    self.init(archive, choice, ofDiagnostics: PayloadArchive.isOfDiagnostics(figure))
  }

  /// The same with only the payloads that are meant.
  package func only(where isMeant: (PayloadArchive.Payload) -> Bool) -> PayloadSelection {
    var result = self
    result.payloads.removeAll { !isMeant($0) }
    return result
  }

  /// The numbers of a figure; `nil` for a histogram.
  package func numbers(of figure: String) -> SampleCube.Selection? {
    guard archive.isOfNumbers(figure) else { return nil }
    var cube = SampleCube(step: 86_400)
    let places = archive.places(of: figure)
    for payload in payloads {
      for number in payload.numbers(at: places) {
        cube.record(number, at: payload.time.seconds)
      }
    }
    cube.settle()
    return cube.selection()
  }

  /// A histogram of times of each payload that has it, in milliseconds; an empty one is one without a sample.
  package func days(of figure: String) -> [TimeHistogram] {
    archive.placeOfTimes(figure).map { place in payloads.compactMap { $0.histogram(at: place) } } ?? []
  }
}

extension PayloadArchive.Payload {
  /// True if it may have figures of diagnostics, or else of days.
  fileprivate func isCounted(amongDiagnostics: Bool) -> Bool {
    guard let kind = facts["kind"] else { return true }
    return (kind == "diagnostic") == amongDiagnostics
  }

  /// A histogram of times, in milliseconds; `nil` where the payload does not have it.
  package func histogram(of figure: String, in archive: PayloadArchive) -> TimeHistogram? {
    archive.placeOfTimes(figure).flatMap(histogram)
  }

  /// - Parameter place: Where its figure is named among those of the archive.
  fileprivate func histogram(at place: Int) -> TimeHistogram? {
    for (figure, value) in values where figure == place {
      if case .bins(let bins) = value { return TimeHistogram(bins.map(TimeHistogram.Bin.init)) }
    }
    return nil
  }
}

extension PayloadArchive.Payload {
  /// The numbers of a figure; those of diagnostics may be many.
  fileprivate func numbers(at places: [Int]) -> [Double] {
    values.compactMap { place, value in
      guard case .number(let number) = value, places.contains(place) else { return nil }
      return number
    }
  }

  /// The values of a figure by bin, one bin for each number; `nil` where the payload does not have it.
  package func bins(of figure: String, in archive: PayloadArchive) -> [HistogramBin]? {
    if let histogram = histogram(of: figure, in: archive) { return histogram.intervals }
    let numbers = numbers(at: archive.places(of: figure))
    return numbers.isEmpty ? nil : numbers.map { HistogramBin(lower: $0, upper: $0, count: 1) }
  }
}

extension TimeHistogram.Bin {
  package init(_ bin: PayloadArchive.Bin) {
    self.init(start: bin.start, end: bin.end, count: bin.count)
  }
}

extension PayloadArchive {
  /// The unit of histograms of times; other histograms count percents.
  package static let unitOfTimes = "ms"

  /// Where a figure of times is named.
  fileprivate func placeOfTimes(_ name: String) -> Int? {
    figures.firstIndex { $0.name == name && $0.unit == Self.unitOfTimes }
  }

  /// The places of a figure, one for each of its units.
  fileprivate func places(of figure: String) -> [Int] {
    figures.indices.filter { figures[$0].name == figure }
  }

  /// True if a figure has numbers rather than bins.
  package func isOfNumbers(_ figure: String) -> Bool {
    let places = places(of: figure)
    guard !places.isEmpty else { return false }
    for payload in payloads {
      if let found = payload.values.first(where: { places.contains($0.figure) }) {
        if case .number = found.value { return true } else { return false }
      }
    }
    return false
  }

  /// True for the name of a figure that diagnostics have.
  fileprivate static func isOfDiagnostics(_ figure: String) -> Bool {
    figure.split(separator: ".").first?.hasSuffix("Diagnostics") ?? false
  }

  /// The histograms of times that any payload has, in the order they were met.
  package func histogramNames() -> [String] {
    var hasBins = [Bool](repeating: false, count: figures.count)
    for payload in payloads {
      for (figure, value) in payload.values where hasBins.indices.contains(figure) && !hasBins[figure] {
        if case .bins = value { hasBins[figure] = true }
      }
    }
    return zip(figures, hasBins).filter { $1 && $0.unit == Self.unitOfTimes }.map(\.0.name)
  }
}
