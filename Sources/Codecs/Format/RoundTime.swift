/// Durations that are round on a clock or a calendar.
package enum RoundTime {
  /// From a millisecond to a century, in seconds.
  package static let steps: [Double] =
    [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800]
    + [1, 2, 3, 6, 12, 24, 48, 96, 240, 480, 720, 1440, 4320, 8760, 17_520, 43_800, 87_600, 876_000].map {
      $0 * 3600
    }

  /// The shortest round duration that is at least `seconds`; beyond a century, `seconds` itself.
  package static func step(atLeast seconds: Double) -> Double {
    steps.first { $0 >= seconds } ?? seconds
  }
}
