import Codecs
import Platform

/// The first manual act in a branch that left another one, derived from the first entries of its record.
struct EngineChange<Engine: FoldedEngine>: Sendable {
  private let step: Int
  private let start: Timestamp
  /// When something happens next that is not done by hand.
  private var nextAt: Timestamp?
  private var isOver = false
  private var found: String?
  /// Acts of one sort, and how many.
  private var counted: (words: String, count: Int)?

  /// - Parameters:
  ///   - step: The last step that both branches have.
  ///   - start: When that was.
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
    // A person who does something later does it in a branch that began without a change.
    if time - start > ChangeRule.timeout { isOver = true }
    guard !isOver else { return }
    // An act that was due happens by itself, and not all entries say whose they are.
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
  /// The text for a branch in which nothing is done.
  static let none = "no change"
  /// The latest time of a change after the beginning, in seconds: it is made at the next moment at which nothing is due.
  static let timeout = 0.01
  /// An act by hand has the next whole millisecond before which nothing else is due: a step that ends this many seconds
  /// later is the branch's own.
  static let delay = 0.004
}
