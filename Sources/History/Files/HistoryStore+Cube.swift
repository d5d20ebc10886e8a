package import Aggregation
import Codecs
package import JSONLines
package import Platform

/// Accumulates the numbers of a series in a cube.
package struct CubeAccumulator: Sendable {
  let focus: SeriesIdentity
  /// True if the values are texts or bools: each sample is then a 0 with its value as a label.
  let isOfTexts: Bool
  /// The wanted time range; `nil` for all times.
  let window: Range<Timestamp>?
  /// The names of the files, to distinguish them; empty for one file.
  private let files: [String]
  /// The host to distinguish from all others, and the places of its files; `nil` for none.
  let host: HistoryHost?
  /// Initial slot length in seconds.
  private let step: Double
  private var cube: SampleCube

  /// - Parameters:
  ///   - files: the names of the files; empty for one file.
  ///   - host: the host to distinguish from all others, and the place of its file; `nil` for none.
  ///   - step: the initial slot length in seconds.
  package init(
    focus: SeriesIdentity, isOfTexts: Bool, window: Range<Timestamp>?, files: [String],
    host: (name: String, place: Int)?, step: Double
  ) {
    self.init(
      focus: focus, isOfTexts: isOfTexts, window: window, files: files,
      host: host.map { HistoryHost(name: $0.name, places: [$0.place]) }, step: step)
  }

  init(
    focus: SeriesIdentity, isOfTexts: Bool, window: Range<Timestamp>?, files: [String], host: HistoryHost?,
    step: Double
  ) {
    (self.focus, self.isOfTexts, self.window) = (focus, isOfTexts, window)
    (self.files, self.host, self.step) = (files, host, step)
    cube = SampleCube(step: step)
  }
}

extension CubeAccumulator: BlockAccumulator {
  var empty: Self {
    Self(focus: focus, isOfTexts: isOfTexts, window: window, files: files, host: host, step: step)
  }

  package var outcome: SampleCube {
    var cube = cube
    cube.settle()
    return cube
  }

  mutating func merge(_ next: Self, file: Int) { cube.merge(next.cube) }

  package mutating func add(_ batch: SampleBatch, _ catalogue: MetricCatalogue, at place: BatchPlace) {
    let metric = MetricIdentity(bucket: focus.bucket, name: focus.name, typeName: focus.typeName)
    guard let wanted = catalogue.knownNumber(of: metric) else { return }
    var labels: [SampleCube.Label] = []
    for sample in batch.samples where sample.metric == wanted {
      if let window, !window.contains(sample.time.clamped) { continue }
      labels.removeAll(keepingCapacity: true)
      if let host, host.places.contains(place.file) {
        labels.append(SampleCube.Label(SampleCube.hostDimension, host.name))
      }
      if files.indices.contains(place.file) {
        labels.append(SampleCube.Label(SampleCube.fileDimension, files[place.file]))
      }
      var number: Double?
      SampleValues.forEach(of: sample, in: batch) { field, value in
        if field == focus.field {
          if case .number(let value) = value, !isOfTexts { number = value }
          if isOfTexts, let word = value.label {
            labels.append(SampleCube.Label(SampleCube.valueDimension, word))
            number = 0
          }
        } else if let word = value.label {
          labels.append(SampleCube.Label(field ?? "", word))
        }
      }
      if let number { cube.record(number, at: sample.time.seconds, labels: labels) }
    }
  }
}

extension CubeAccumulator {
  /// Initial number of time slots.
  private static let slots = 256.0

  /// The initial slot length in seconds.
  package static func step(of window: Range<Timestamp>?, in range: ClosedRange<Timestamp>?) -> Double {
    guard let range else { return 1 }
    var length = range.upperBound - range.lowerBound
    if let window {
      length = min(range.upperBound, window.upperBound) - max(range.lowerBound, window.lowerBound)
    }
    return RoundTime.step(atLeast: length / slots)
  }
}

extension HistoryStore {
  /// The numbers of a series by label (the text and bool fields beside them, and the file if there are several) and time.
  ///
  /// The first query for a series reads the files; later ones read only new lines. The numbers of a window are kept
  /// separately from those of all times.
  ///
  /// - Parameters:
  ///   - isOfTexts: true if the values are texts or bools: each sample is then a 0 with its value as a label.
  ///   - window: the wanted time range; `nil` for all times. The shorter the window, the shorter the slots.
  ///   - host: the host to distinguish from all others; `nil` for none.
  /// - Throws: `IndexPass.Failure` if it is cancelled, otherwise the system error.
  package func cube(
    of focus: SeriesIdentity, isOfTexts: Bool = false, in window: Range<Timestamp>? = nil, host: String? = nil
  ) throws -> SampleCube {
    // A comparison by host leaves nothing for files to tell.
    let names = files.count > 1 && host == nil ? files.map(\.name) : []
    return try gathered(
      in: window == nil ? \.incrementalCube : \.incrementalWindowCube,
      CubeAccumulator(
        focus: focus, isOfTexts: isOfTexts, window: window, files: names,
        host: host.flatMap { name in hosts.first { $0.name == name } }, step: cubeStep(of: window)),
      in: window,
      isWanted: {
        $0.focus == focus && $0.isOfTexts == isOfTexts && $0.window == window && $0.host?.name == host
      })
  }

  private func cubeStep(of window: Range<Timestamp>?) throws -> Double {
    CubeAccumulator.step(of: window, in: try range())
  }
}
