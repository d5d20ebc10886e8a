import Foundation
import Testing

@testable import Aggregation

@Suite("Random draws for resampling")
struct ResamplingRandomTests {
  /// The hypergeometric probabilities by the number of hits.
  private func probabilities(size: Int, drawn: Int, all: Int) -> [Double] {
    let choose = { (of: Int, take: Int) in
      lgamma(Double(of + 1)) - lgamma(Double(take + 1)) - lgamma(Double(of - take + 1))
    }
    return (0...min(size, drawn)).map { hits in
      guard drawn - hits <= all - size else { return 0 }
      return exp(choose(size, hits) + choose(all - size, drawn - hits) - choose(all, drawn))
    }
  }

  @Test(
    "members of a class are hypergeometric, exactly where the numbers are small",
    arguments: [
      (4, 500, 1000), (15, 500, 1000), (30, 40, 1000), (31, 900, 1000), (3, 5, 9), (5, 3, 9), (7, 7, 8),
      (20, 30, 40),
      (33, 64, 128), (2, 1, 2), (60, 5, 64), (1991, 1000, 2000), (10, 1_000_000, 3_000_000),
    ])
  func hypergeometric(size: Int, drawn: Int, all: Int) {
    let expected = probabilities(size: size, drawn: drawn, all: all)
    #expect(abs(expected.reduce(0, +) - 1) < 1e-6)
    var random = ResamplingRandom(seed: UInt64(size * 31 + drawn))
    let rounds = 20_000
    var found = [Int](repeating: 0, count: expected.count)
    for _ in 0..<rounds {
      found[Int(random.members(of: Double(size), drawing: Double(drawn), of: Double(all)))] += 1
    }
    for (hits, probability) in expected.enumerated() {
      let deviation = (Double(rounds) * probability * (1 - probability)).squareRoot()
      #expect(
        abs(Double(found[hits]) - Double(rounds) * probability) <= 4.5 * deviation + 1,
        "\(hits) of \(size) in \(drawn) of \(all)")
    }
  }

  @Test("no draw has more members than there are, or fewer than must be, whatever the numbers")
  func limits() {
    var random = ResamplingRandom(seed: 3)
    for all in [1, 2, 3, 10, 65, 129, 5000, 1e6, 4e15] {
      for size in [1, 2, 5, 64, 65, 4000, 1e15] where size <= all {
        for drawn in [0, 1, 2, 30, 64, all / 2, all - 1, all] where drawn <= all {
          let members = random.members(of: size, drawing: drawn.rounded(), of: all)
          #expect(members >= max(0, drawn.rounded() - (all - size)) && members <= min(size, drawn.rounded()))
          #expect(members == members.rounded())
        }
      }
    }
  }
}
