import Testing

@testable import DashboardCore
@testable import HistogramScreen

@Suite("The order of versions")
struct VersionOrderTests {
  @Test("numbers are compared as numbers, what precedes a release comes before it")
  func order() {
    let ascending = [
      "", "beta", "1.9", "1.10-beta", "1.10-beta.2", "1.10-rc1", "1.10", "1.10 (7)", "1.10 (12)", "1.10.0",
      "1.10.1", "2", "v2.1", "2.1.1", "10.0", "99999999999999999999999", "100000000000000000000000",
    ]
    for (place, earlier) in ascending.enumerated() {
      for later in ascending[(place + 1)...] {
        #expect(VersionOrder(earlier) < VersionOrder(later), "\(earlier) < \(later)")
        #expect(!(VersionOrder(later) < VersionOrder(earlier)))
      }
    }
    #expect(VersionOrder.newestFirst(ascending.shuffled()) == ascending.reversed())
  }

  @Test("only equal texts are equal, and hostile ones have an order too")
  func strict() {
    let texts = [
      "1.2", "1.02", "1-2", "1.2.", "...", "\u{0}1", "é1", "１.２", String(repeating: "1.", count: 5000) + "2",
      String(repeating: "1.", count: 5000) + "3",
    ]
    for first in texts {
      for second in texts {
        let (left, right) = (VersionOrder(first), VersionOrder(second))
        #expect((left == right) == (first == second))
        #expect([left < right, left == right, right < left].count { $0 } == 1)
      }
    }
  }
}
