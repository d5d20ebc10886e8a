import Aggregation
import TestSupport

extension SeriesIdentity {
  /// The series of a generated metric.
  static func planted(_ metric: Int) -> SeriesIdentity {
    SeriesIdentity(bucket: "app", name: "metric\(metric)", typeName: "Double")
  }
}

extension IncidentLog {
  /// The incidents of a generated file.
  ///
  /// - Parameter metrics: the number of its metrics.
  init(_ samples: [PlantedIncidents.Sample], metrics: Int) {
    self.init { _ in [.values, .silences] }
    let numbers = (0..<metrics).map { number(of: .planted($0)) ?? -1 }
    for sample in samples {
      switch sample.value {
      case .number(let number): record(.number(number), at: sample.time, of: numbers[sample.metric])
      case .text(let text): record(.text(text), at: sample.time, of: numbers[sample.metric])
      }
    }
  }
}
