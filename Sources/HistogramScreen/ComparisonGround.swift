import Aggregation
import DashboardCore
import History
import TelemetryCore

/// The basis of a comparison: the units of its samples, or device-days, that count as independent.
struct ComparisonGround: Sendable {
  /// Units of testing besides device-days, which always apply to payloads.
  var dealings: [Dealing]
  /// The field that names the origin of samples: the one with the fewest values if there are several.
  var field: ClusterField?

  /// Samples alone, without their times and origins.
  static var samples: ComparisonGround { ComparisonGround(dealings: [.samples]) }
}

extension ComparisonGround {
  /// The basis of a comparison of samples, or of the share that some values of a text have.
  init(
    _ cube: SampleCube, _ a: SampleCube.Choice, against b: SampleCube.Choice,
    counting values: Set<String>? = nil
  ) {
    let fields = cube.clusterFields(first: b, second: a).filter { $0.role != .grouping }
    dealings = [.samples, cube.dealing(first: b, second: a, counting: values)]
    field = fields.min { min($0.first, $0.second) < min($1.first, $1.second) }
  }
}

extension HistogramSource {
  /// The basis of a comparison of two choices.
  func ground(_ a: SampleCube.Choice, against b: SampleCube.Choice) -> ComparisonGround {
    switch self {
    case .samples(let cube, let close, _):
      let isClose = [a, b].allSatisfy { close?.holds($0.window) ?? false }
      return ComparisonGround(isClose ? close?.cube ?? cube : cube, a, against: b)
    // Each share is compared by itself.
    case .texts: return .samples
    case .payloads(let archive, let figure):
      let days = [b, a].map { choice in
        PayloadSelection(archive, choice, for: figure).payloads.compactMap { payload in
          payload.bins(of: figure, in: archive).map { (payload: payload, bins: $0) }
        }
      }
      let origins = PayloadOrigins(first: days[0].map(\.payload), second: days[1].map(\.payload))
      return ComparisonGround(
        dealings: (hasBins ? [] : [.samples])
          + origins.dealings(
            first: days[0].enumerated().map { ($0, $1.bins) },
            second: days[1].enumerated().map { ($0, $1.bins) }))
    }
  }
}

extension SideComparison {
  /// Compares two sides: by device-days where both have them, otherwise by samples.
  ///
  /// - Parameters:
  ///   - ground: The units that count as independent.
  ///   - detail: The resolution of samples.
  ///   - precision: The precision of the test, lower for one of many.
  init(
    _ before: HistogramSide, with after: HistogramSide, on ground: ComparisonGround,
    detail: ComparedBins.Detail = .full, precision: TestPrecision = .single
  ) {
    if case .payloads(let days) = before.numbers, case .payloads(let others) = after.numbers {
      self.init(days: days, with: others, by: ground.dealings, precision: precision)
    } else {
      let bins = ComparedBins(before, after, detail)
      self.init(bins.before, with: bins.after, on: ground, precision: precision)
    }
  }

  /// Compares samples.
  init(
    _ before: [HistogramBin], with after: [HistogramBin], on ground: ComparisonGround,
    precision: TestPrecision
  ) {
    self.init(before, with: after, by: ground.dealings, field: ground.field, precision: precision)
  }
}
