import Foundation
import MisterMetricsCore

/// Checks of the metrics library's own reader.
package enum EntryChecks {
  private static let decoder = JSONDecoder()

  /// A line reads as Foundation's decoder reads it.
  package static func entry(_ input: UnsafeRawBufferPointer) -> String? {
    let ours = LineDecoder().entry(input)
    let expected = try? decoder.decode(MetricEntry.self, from: Data(input))
    guard ours == expected else {
      return "\(String(describing: ours)), not \(String(describing: expected))"
    }
    return nil
  }
}
