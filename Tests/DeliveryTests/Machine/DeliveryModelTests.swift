import TestSupport
import Testing

@Suite("Model check of the delivery machine")
struct DeliveryModelTests {
  private let checker = ModelChecker<ModelCall>(
    length: 24, action: { .random(using: &$0) }, simpler: \.simpler,
    run: { DeliveryModel.fault(of: $0, seed: $1) })

  @Test(
    "5,000 random sequences: every event accounted for, in order, one batch at a time, at the right moment")
  func short() {
    for seed in 0..<5000 {
      if let failure = checker.check(seed: UInt64(seed)) {
        Issue.record("\(failure)")
        return
      }
    }
  }
}
