import Aggregation
import Foundation
import TelemetryCore

@testable import DashboardCore
@testable import HistogramScreen

/// How the numbers of generated samples are spread.
enum SampleShape: String, CaseIterable {
  /// Around 300 with a deviation of 0.4 in logarithms.
  case logNormal
  /// Around 300 with a deviation of 0.7 in logarithms.
  case wide
  /// 100 and then as if waiting for something that may happen at any moment, 200 on average.
  case exponential
  /// As ``exponential`` without the 100.
  case waiting
  /// 400 with a deviation of 60.
  case normal
  /// From 50 to 350, all as likely.
  case uniform
  /// The sum of two waits of 150.
  case twoWaits
  /// At least 100, with a tail that has no variance to speak of.
  case pareto
  /// Around 60 and rounded up to a multiple of 16, as what waits for a frame.
  case frames
  /// Whole numbers around 3.
  case counts
  /// As ``logNormal`` in seconds.
  case seconds
  /// Below zero and above.
  case signed

  func draw(_ random: inout SplitMix64) -> Double {
    let wait = { (random: inout SplitMix64, mean: Double) in -mean * log(1 - random.unit()) }
    switch self {
    case .logNormal: return 300 * exp(0.4 * random.normal())
    case .wide: return 300 * exp(0.7 * random.normal())
    case .exponential: return 100 + wait(&random, 200)
    case .waiting: return wait(&random, 200)
    case .normal: return max(1, 400 + 60 * random.normal())
    case .uniform: return 50 + 300 * random.unit()
    case .twoWaits: return wait(&random, 150) + wait(&random, 150)
    case .pareto: return 100 * pow(1 - random.unit(), -1.0 / 2.5)
    case .frames: return (60 * exp(0.4 * random.normal()) / 16).rounded(.up) * 16
    case .counts: return (3 * exp(0.5 * random.normal())).rounded()
    case .seconds: return 0.3 * exp(0.4 * random.normal())
    case .signed: return 20 * random.normal()
    }
  }

  func draw(_ count: Int, _ random: inout SplitMix64) -> [Double] {
    (0..<count).map { _ in draw(&random) }
  }
}

extension HistogramSide {
  /// Samples as a ``SampleCube`` tells all of a choice, without the work of building one.
  init(name: String, samples: [Double]) {
    var (moments, histogram) = (Moments(), FineHistogram())
    for sample in samples {
      moments.record(sample)
      histogram.record(sample)
    }
    self.init(name: name, SampleCube.Selection(moments: moments, bins: histogram.intervals))
  }
}

extension TimeHistogram {
  /// The bins that devices write of some samples.
  init(samples: [Double], width: Int) {
    var counts: [Int: Int] = [:]
    for sample in samples { counts[Int(sample) / width, default: 0] += 1 }
    self.init(
      counts.map { slot, count in
        Bin(start: Double(slot * width), end: Double(slot * width + width - 1), count: count)
      })
  }
}
