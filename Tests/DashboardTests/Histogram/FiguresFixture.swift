import Aggregation
import Foundation
import TelemetryCore

@testable import DashboardCore
@testable import HistogramScreen

/// Samples with figures that `Figures/figures.py` computed of them, independently of the program.
struct FiguresFixture: Decodable {
  /// Figures of samples: the least and the most, and percentiles by nearest rank, are samples.
  struct Figures: Decodable {
    let count: Int
    let mean: Double
    let deviation: Double
    let least: Double
    let most: Double
    let percentiles: [Double]
  }

  /// Which samples are meant, and their figures.
  struct Answer: Decodable {
    let labels: [String: SampleCube.LabelValue]
    let window: Range<Double>?
    let figures: Figures
    /// For each row the count, the share, and the share of the row and all below.
    let rows: [[Double]]

    private enum CodingKeys: CodingKey {
      case choice, figures, rows
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      figures = try container.decode(Figures.self, forKey: .figures)
      rows = try container.decode([[Double]].self, forKey: .rows)
      var choice = try container.nestedUnkeyedContainer(forKey: .choice)
      var labels: [String: SampleCube.LabelValue] = [:]
      for dimension in ["version", "outcome"] {
        let value = try choice.decode(String.self)
        if value != "*" { labels[dimension] = value.isEmpty ? .missing : .value(value) }
      }
      self.labels = labels
      if try choice.decodeNil() {
        window = nil
      } else {
        window = try choice.decode(Double.self)..<choice.decode(Double.self)
      }
    }
  }

  /// Samples of two versions over an hour.
  struct Cube: Decodable {
    let name: String
    let edges: [Double]
    let answers: [Answer]
    private let values: [Double]
    private let times: [Double]
    private let versions: String
    private let outcomes: String

    /// A cube with slots of a minute.
    var cube: SampleCube {
      var cube = SampleCube(step: 60)
      let versions = versions.split(separator: ",", omittingEmptySubsequences: false)
      let outcomes = outcomes.split(separator: ",", omittingEmptySubsequences: false)
      for (place, value) in values.enumerated() {
        var labels = [SampleCube.Label("version", String(versions[place]))]
        if !outcomes[place].isEmpty { labels.append(.init("outcome", String(outcomes[place]))) }
        cube.record(value, at: times[place], labels: labels)
      }
      return cube
    }

    /// Rows below the first edge, between two, and above the last.
    var grid: HistogramGrid {
      let bounds = [-Double.infinity] + edges + [.infinity]
      return HistogramGrid(
        scale: .linear,
        rows: zip(bounds, bounds.dropFirst()).map { HistogramGrid.Row(lower: $0, upper: $1) })
    }
  }

  /// Samples of device-days and the bins that payloads have of them.
  struct Payloads: Decodable {
    let name: String
    let width: Int
    let days: [[Double]]
    let bins: [[Int]]
    /// Of the samples.
    let figures: Figures
    /// By method the average and the bounds that the true one must lie in.
    let averages: [String: [Double]]
    /// Of the bins' middles.
    let deviation: Double
    /// For each the guess and the bounds of its bin.
    let percentiles: [[Double]]
  }

  let percentiles: [Double]
  let cubes: [Cube]
  let payloads: [Payloads]

  /// Where the script and what it wrote lie.
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Figures")

  static func read() throws -> FiguresFixture {
    let data = try Data(contentsOf: folder.appendingPathComponent("figures.json"))
    return try JSONDecoder().decode(FiguresFixture.self, from: data)
  }
}
