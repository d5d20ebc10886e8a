import Codecs
import Platform

/// The first manual act in a forked branch, derived from the first entries of its record.
struct EngineChange<Engine: FoldedEngine>: Sendable {
  private let step: Int
  private let start: Timestamp
  /// When the next event that is not manual is due.
  private var nextAt: Timestamp?
  private var isOver = false
  private var found: String?
  /// Acts of one kind, and their number.
  private var counted: (words: String, count: Int)?

  /// - Parameters:
  ///   - step: The last common step of both branches.
  ///   - start: The time of the fork.
  init(after step: Int, at start: Timestamp) {
    self.step = step
    self.start = start
  }

  var text: String {
    if let found { return found }
    guard let counted else { return ChangeRule.none }
    return counted.count == 1 ? counted.words : "\(NumberFormat.count(counted.count)) x \(counted.words)"
  }

  /// - Parameter engine: The engine before the entry.
  mutating func handle(_ record: Engine.Record, at time: Timestamp, in engine: Engine) {
    guard !isOver else { return }
    // A later act belongs to a branch that began without a change.
    if time - start > ChangeRule.timeout { isOver = true }
    guard !isOver else { return }
    // A scheduled act happens by itself, and not all entries name their initiator.
    let isDue = nextAt.map { time >= $0 } ?? false
    if let simulation = record.simulation {
      nextAt = simulation.nextAt.map { Timestamp($0) }
      isOver =
        simulation.step > step && (text != ChangeRule.none || time - start > ChangeRule.delay)
      return
    }
    switch engine.deed(in: record, isDue: isDue) {
    case .once(let words): if found == nil, !words.isEmpty { found = words }
    case .counted(let words):
      if counted?.words ?? words == words { counted = (words, (counted?.count ?? 0) + 1) }
    case nil: break
    }
  }
}

enum ChangeRule {
  /// The text for a branch without a manual act.
  static let none = "no change"
  /// The latest time of a change after the fork, in seconds: it happens at the next moment at which no event is due.
  static let timeout = 0.01
  /// A manual act gets the next whole millisecond before which no event is due: a step that ends this many seconds
  /// later belongs to the branch itself.
  static let delay = 0.004
}
