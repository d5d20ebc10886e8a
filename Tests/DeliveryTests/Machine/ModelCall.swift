import DeliveryCore
import TestSupport

/// One thing that a random sequence of the model check does.
enum ModelCall: Hashable, Sendable {
  /// How a batch in flight ends.
  enum Ending: Hashable, Sendable {
    case answer(Int, retryAfter: Int?)
    case unanswered, notEncodable
    /// An answer to an earlier batch, which has ended already.
    case late
  }

  /// The operations that the disk now refuses.
  enum DiskFault: Hashable, Sendable, CaseIterable {
    case stores, reads, removals
  }

  case queue(Int, bytes: Int)
  /// The next batch cannot be encoded, which the driver finds out while it performs the action that posts it.
  case spoil
  case flush
  case end(Ending)
  /// A duration in milliseconds.
  case wait(Int)
  case background, foreground
  case networkLost, networkFound
  case terminate
  /// The client is reset, and begins again.
  case restart
  /// The process ends without warning, and begins again.
  case crash
  /// The same, after so many more actions of the machine.
  case crashAfter(Int)
  case fail(DiskFault)
  case repairDisk
  /// The entry there cannot be read.
  case damage(Int)
  /// The entry there is too old.
  case expire(Int)

  static func random(using random: inout SeededGenerator) -> ModelCall {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<28: .queue(Int.random(in: 1...3, using: &random), bytes: Int.random(in: 1...3, using: &random))
    case 28..<34: .flush
    case 34: .spoil
    case 35..<60: .end(.random(using: &random))
    case 60..<72: .wait(waits[Int.random(in: 0..<waits.count, using: &random)])
    case 72..<75: .background
    case 75..<79: .foreground
    case 79..<81: .networkLost
    case 81..<84: .networkFound
    case 84..<86: .terminate
    case 86: .restart
    case 87: .crash
    case 88..<90: .crashAfter(Int.random(in: 0..<6, using: &random))
    case 90..<94: .fail(DiskFault.allCases[Int.random(in: 0..<3, using: &random)])
    case 94..<97: .repairDisk
    case 97: .damage(Int.random(in: 0..<4, using: &random))
    default: .expire(Int.random(in: 0..<4, using: &random))
    }
  }

  private static let waits = [
    1, 100, 500, 1000, 2000, 4000, 8000, 9000, 10_000, 12_000, 60_000, 200_000, 4_000_000,
  ]

  /// Substitutes to try when a failing sequence is made shorter.
  var simpler: [ModelCall] {
    switch self {
    case .queue(let count, let bytes) where count > 1 || bytes > 1:
      [.queue(1, bytes: 1), .queue(count - 1, bytes: 1), .queue(count, bytes: 1)]
    case .wait(let time) where time > 1: Self.waits.filter { $0 < time }.map { .wait($0) }
    case .crashAfter: [.crash]
    case .end(let ending) where ending != .answer(200, retryAfter: nil):
      [.end(.answer(200, retryAfter: nil)), .end(.answer(500, retryAfter: nil)), .end(.unanswered)]
    case .queue, .spoil, .flush, .end, .wait, .background, .foreground, .networkLost, .networkFound,
      .terminate, .restart, .crash, .fail, .repairDisk, .damage, .expire:
      []
    }
  }
}

extension ModelCall.Ending {
  private static let statuses = [
    200, 204, 302, 100, 400, 401, 403, 404, 408, 413, 418, 422, 429, 500, 503, 999,
  ]
  private static let waits: [Int?] = [nil, nil, nil, 0, 2, 30, 3600, Int.max, -5]

  static func random(using random: inout SeededGenerator) -> Self {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<7: .answer(200, retryAfter: nil)
    case 7..<10: .answer(500, retryAfter: nil)
    case 10..<12: .answer(413, retryAfter: nil)
    case 12..<16:
      .answer(
        // The three that disable are one draw in sixteen each: rare enough that most sequences go on.
        statuses[Int.random(in: 0..<statuses.count, using: &random)],
        retryAfter: waits[Int.random(in: 0..<waits.count, using: &random)])
    case 16..<18: .unanswered
    case 18: .notEncodable
    default: .late
    }
  }
}
