import Aggregation
import BenchSupport
import Foundation
import TestSupport

/// Fills a store with many samples of so many series, with a snapshot held as the screen does; prints what it takes.
func reportMemory(series: Int, samples: Int) {
  var generator = SeededGenerator(seed: 2)
  var store = SeriesStore()
  let before = residentMemory()
  let ids = (0..<series).map { number in
    store.series(
      for: SeriesIdentity(bucket: "bucket\(number % 100)", name: "metric\(number)_ms", typeName: "Double"))
  }
  var snapshot = store
  var worst = 0.0
  let started = Date.timeIntervalSinceReferenceDate
  for sample in 0..<samples {
    let value = exp(Double.random(in: 0...6, using: &generator))
    store.record(ids[sample % series], time: Double(sample) / 1000, value: .number(value))
    guard sample % 4096 == 0 else { continue }
    let start = Date.timeIntervalSinceReferenceDate
    snapshot = store
    store.record(ids[sample % series], time: Double(sample) / 1000, value: .number(value))
    worst = max(worst, Date.timeIntervalSinceReferenceDate - start)
  }
  let spent = (Date.timeIntervalSinceReferenceDate - started) / Double(samples) * 1e6
  print(
    "\(series) series, \(samples) samples: \(Int(residentMemory() - before)) MiB, \(Int(spent * 1000)) ns a sample, "
      + "worst snapshot \(Int(worst * 1e6)) µs, \(snapshot.recorded) recorded")
}
