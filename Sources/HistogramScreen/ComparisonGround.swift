import Aggregation
import DashboardCore
import History
import TelemetryCore

/// The basis of a comparison: what of its samples, or device-days, is taken as independent.
struct ComparisonGround: Sendable {
  /// Units of testing besides device-days, which payloads are tested by in any case.
  var dealings: [Dealing]
  /// The field that names what samples come from: the one with the fewest values, if several do.
  var field: ClusterField?

  /// Samples alone, without their times and what they come from.
  static var samples: ComparisonGround { ComparisonGround(dealings: [.samples]) }
}

extension HistogramSource {
  /// The basis of a comparison of two choices.
  func ground(_ a: SampleCube.Choice, against b: SampleCube.Choice) -> ComparisonGround {
    switch self {
    case .samples(let cube, let close, _):
      let isClose = [a, b].allSatisfy { close?.holds($0.window) ?? false }
      let cube = isClose ? close?.cube ?? cube : cube
      let fields = cube.clusterFields(first: b, second: a).filter { $0.role != .grouping }
      return ComparisonGround(
        dealings: [.samples, cube.dealing(first: b, second: a)],
        field: fields.min { min($0.first, $0.second) < min($1.first, $1.second) })
    // Shares are compared by what their own samples rest on.
    case .texts: return .samples
    case .payloads(let archive, let figure):
      let days = [b, a].map { choice in
        PayloadSelection(archive, choice).payloads.compactMap { payload in
          payload.histogram(of: figure, in: archive).map { (payload: payload, bins: $0.intervals) }
        }
      }
      let origins = PayloadOrigins(first: days[0].map(\.payload), second: days[1].map(\.payload))
      return ComparisonGround(
        dealings: origins.dealings(
          first: days[0].enumerated().map { ($0, $1.bins) },
          second: days[1].enumerated().map { ($0, $1.bins) }))
    }
  }
}

extension SideComparison {
  /// Compares two sides: by device-days where both have them, else by samples.
  ///
  /// - Parameters:
  ///   - ground: what is taken as independent.
  ///   - detail: how closely samples are looked at.
  ///   - precision: whether it is one of many.
  init(
    _ before: HistogramSide, with after: HistogramSide, on ground: ComparisonGround,
    detail: ComparedBins.Detail = .full, precision: TestPrecision = .single
  ) {
    if case .payloads(let days) = before.numbers, case .payloads(let others) = after.numbers {
      self.init(days: days, with: others, by: ground.dealings, precision: precision)
    } else {
      let bins = ComparedBins(before, after, detail)
      self.init(
        bins.before, with: bins.after, by: ground.dealings, field: ground.field, precision: precision)
    }
  }
}
