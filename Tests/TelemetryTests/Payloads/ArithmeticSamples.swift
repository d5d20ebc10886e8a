import Foundation
import Telemetry
import TestSupport

/// Samples from seeded distributions, for the arithmetic of payloads.
struct SampleSource {
  private var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  /// A number from 0 up to, not including, 1.
  mutating func unit() -> Double { Double(generator.next() >> 11) * 0x1p-53 }

  /// A place in a list of `count` things.
  mutating func place(in count: Int) -> Int { min(count - 1, Int(unit() * Double(count))) }

  mutating func normal() -> Double { (-2 * log(1 - unit())).squareRoot() * cos(2 * .pi * unit()) }

  mutating func draw(_ count: Int, of kind: SampleKind) -> [Double] {
    (0..<count).map { _ in kind.draw(&self) }
  }
}

/// How times are spread.
enum SampleKind: String, CaseIterable {
  /// Most around 300 ms, with a long tail.
  case logNormal
  /// At least 100 ms, and then as if waiting for something that may happen at any moment.
  case exponential
  /// Three of ten take four times as long as the others.
  case bimodal

  func draw(_ source: inout SampleSource) -> Double {
    switch self {
    case .logNormal: 300 * exp(0.4 * source.normal())
    case .exponential: 100 - 200 * log(1 - source.unit())
    case .bimodal: (source.unit() < 0.7 ? 250 : 1000) * exp(0.2 * source.normal())
    }
  }
}

extension TimeHistogram {
  /// Samples in bins as devices write them; of no width for 0.
  init(samples: [Double], width: Int) {
    guard width > 0 else {
      self.init(samples.map { Bin(start: $0, end: $0, count: 1) })
      return
    }
    var counts: [Int: Int] = [:]
    for sample in samples { counts[Int(sample) / width, default: 0] += 1 }
    self.init(
      counts.map { slot, count in
        Bin(start: Double(slot * width), end: Double(slot * width + width - 1), count: count)
      })
  }

  /// Bins written in one line each: start, end, count.
  init(_ bins: (Double, Double, Int)...) {
    self.init(bins.map { Bin(start: $0.0, end: $0.1, count: $0.2) })
  }

  /// The payload that Xcode simulates for iOS 13.1.3.
  static let simulatedLaunches = TimeHistogram((1000, 1010, 50), (2000, 2010, 60), (3000, 3010, 30))
  static let simulatedResumes = TimeHistogram((200, 210, 60), (300, 310, 70), (500, 510, 80))
  static let simulatedHangs = TimeHistogram((0, 100, 50), (100, 400, 60), (400, 700, 30))
}

/// A number as golden tables have it.
func rounded(_ value: Double?) -> Double? { value.map { ($0 * 1000).rounded() / 1000 } }
