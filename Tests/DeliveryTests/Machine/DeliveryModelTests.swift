import TestSupport
import Testing

@Suite("Model check of the delivery machine")
struct DeliveryModelTests {
  @Test("In 3,000 random sequences nothing is lost, out of order, too early or stuck")
  func short() async {
    await check(0..<3000)
  }

  @Test("In many more random sequences nothing is lost, out of order, too early or stuck")
  func long() async {
    await check(3000..<UInt64(trials(8_000, long: 103_000)))
  }

  /// Checks the sequences of those seeds on two threads, and stops at the first that fails.
  private func check(_ seeds: Range<UInt64>) async {
    let middle = (seeds.lowerBound + seeds.upperBound) / 2
    async let half = Self.firstFailure(seeds.lowerBound..<middle)
    let other = Self.firstFailure(middle..<seeds.upperBound)
    if let failure = await half ?? other { Issue.record("\(failure)") }
  }

  private static func firstFailure(_ seeds: Range<UInt64>) -> String? {
    let checker = ModelChecker<ModelCall>(
      length: 24, action: { .random(using: &$0) }, simpler: \.simpler,
      run: { DeliveryModel.fault(of: $0, seed: $1) })
    for seed in seeds {
      if let failure = checker.check(seed: seed) { return "\(failure)" }
    }
    return nil
  }
}
