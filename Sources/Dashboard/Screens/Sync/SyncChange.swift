import Codecs
import Platform
import Resilience
import Sync

/// What is done by hand first in a branch that left another one, told from the first entries of its record.
struct SyncChange: Sendable {
  /// The text for a branch in which nothing is.
  static let none = "no change"
  /// The latest time of a change after the beginning, in seconds: it is made at the next moment at which nothing is due.
  private static let timeout = 0.01
  /// An act by hand has the next whole millisecond before which nothing else is due: a step that ends this many seconds
  /// later is the branch's own.
  private static let delay = 0.004

  private let step: Int
  private let start: Timestamp
  private var configuration: SyncConfiguration
  /// When something happens next that is not done by hand.
  private var nextAt: Timestamp?
  private var isOver = false
  private var found: String?
  /// Mutations of one sort, and how many.
  private var mutations: (words: String, count: Int)?

  /// - Parameters:
  ///   - step: The last step that both branches have.
  ///   - start: When that was.
  ///   - configuration: The constants that were in force.
  init(after step: Int, at start: Timestamp, configuration: SyncConfiguration) {
    self.step = step
    self.start = start
    self.configuration = configuration
  }

  var text: String {
    if let found { return found }
    guard let mutations else { return Self.none }
    return mutations.count == 1
      ? mutations.words : "\(NumberFormat.count(mutations.count)) x \(mutations.words)"
  }

  mutating func handle(_ record: SyncRecord, at time: Timestamp) {
    guard !isOver else { return }
    // A person who does something later does it in a branch that began without a change.
    if time - start > Self.timeout { isOver = true }
    guard !isOver else { return }
    // What was due comes by itself, and not all entries say whose they are.
    let isOwn = nextAt.map { time >= $0 } ?? false
    switch record {
    case .simulation(let simulation):
      nextAt = simulation.nextAt.map { Timestamp($0) }
      isOver = simulation.step > step && (text != Self.none || time - start > Self.delay)
    case .configuration(let new):
      if !isOwn, new != configuration { find(SyncConstant.difference(configuration, new)) }
      configuration = new
    case .fault(let fault) where fault.byHand: find(Self.words(fault))
    case .transition(let transition) where transition.byHand: find(SyncFormatter.event(transition.event))
    case .mutation(let mutation) where mutation.state == .queued && !isOwn:
      let words = "\(mutation.operation) \(mutation.kind)"
      if mutations?.words ?? words == words { mutations = (words, (mutations?.count ?? 0) + 1) }
    case .mutation, .fault, .transition, .pending, .breaker, .run, .interval, .event: break
    }
  }

  private mutating func find(_ words: String) {
    if found == nil, !words.isEmpty { found = words }
  }

  private static func words(_ fault: SyncFault) -> String {
    let name = SimulatedFault(rawValue: fault.fault)?.words ?? fault.fault
    guard fault.on else { return "\(name) off" }
    let amount = fault.amount == 0 ? "" : " \(NumberFormat.significant(fault.amount)) \(fault.unit)"
    let share =
      fault.probability < 1 ? " in \(NumberFormat.text(fault.probability * 100, decimals: 0)) %" : ""
    return "\(name)\(amount)\(share) on"
  }
}

/// The constants of an engine as a person reads them.
enum SyncConstant {
  /// `backoff.maximum 300 s -> 60 s`, for each that is not the same.
  static func difference(_ old: SyncConfiguration, _ new: SyncConfiguration) -> String {
    zip(list(old), list(new)).filter { $0.value != $1.value }
      .map { "\($0.name) \($0.value) -> \($1.value)" }.joined(separator: ", ")
  }

  /// All of them, always in the same order: those that a person can change first.
  static func list(_ configuration: SyncConfiguration) -> [(name: String, value: String)] {
    let backoff = configuration.breaker.backoff
    return SyncTuning.allCases.map { ($0.name, $0.text($0.value(in: configuration))) } + [
      ("page", "\(configuration.changePage)"), ("backoff.factor", SyncTuning.number(backoff.factor)),
      ("backoff.cap", SyncTuning.number(backoff.cap)), ("backoff.jitter", SyncTuning.number(backoff.jitter)),
      ("resync.wait", "\(SyncTuning.number(configuration.resyncWait / .seconds(1))) s"),
      ("history", "\(configuration.historyRows)"),
    ]
  }
}
