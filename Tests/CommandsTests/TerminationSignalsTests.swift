import Foundation
import Platform
import Testing

@testable import Commands

@Suite("Signals that end a program")
struct TerminationSignalsTests {
  /// Signals with the seconds at which they come, and what the last of them does.
  private static let cases: [(signals: [(Int32, Double)], last: TerminationRequests.Action)] = [
    ([(SIGTERM, 0)], .stop),
    ([(SIGTERM, 0), (SIGTERM, 0)], .ignore),
    ([(SIGTERM, 0), (SIGTERM, 0.099)], .ignore),
    ([(SIGTERM, 0), (SIGTERM, 0.05), (SIGTERM, 0.09)], .ignore),
    ([(SIGTERM, 0), (SIGTERM, 0.05), (SIGTERM, 0.11)], .die),
    ([(SIGINT, 0), (SIGINT, 0.1)], .die),
    ([(SIGINT, 0), (SIGINT, 3600)], .die),
    ([(SIGTERM, 0), (SIGINT, 0.01)], .die),
  ]

  @Test(
    "The same signal once more at the same moment is no second request; later, or another one, it is",
    arguments: cases.indices)
  func repetition(_ index: Int) {
    var requests = TerminationRequests()
    var last: TerminationRequests.Action?
    for (number, seconds) in Self.cases[index].signals {
      last = requests.receive(number, at: MonotonicInstant(1000 + seconds))
    }
    #expect(last == Self.cases[index].last)
  }
}
