import MisterMetrics

/// Who takes part in an exchange of messages.
public enum TraceParticipant: String, Hashable, Sendable, CaseIterable {
  case app, engine, store, server

  /// The participant's name in a diagram.
  public var name: String {
    switch self {
    case .app: "App"
    case .engine: "SyncEngine"
    case .store: "Store"
    case .server: "Server"
    }
  }
}

/// One message of a run, as a sequence diagram shows it.
public struct TraceMessage: Hashable, Sendable {
  /// Who says it.
  public let from: TraceParticipant
  /// To whom.
  public let to: TraceParticipant
  /// What is said.
  public let text: String
  /// Whether it answers another message.
  public let isAnswer: Bool
  /// Whether it is the end of an exchange that failed.
  public let isFailure: Bool
}

/// Notes what engine, store and server say to each other, in order.
public final class SimulationTrace: Sendable {
  private let noted = Locked<[TraceMessage]>([])

  /// A trace with nothing in it.
  public init() {}

  /// What was noted so far.
  public var messages: [TraceMessage] { noted.withLock { $0 } }

  func note(
    _ from: TraceParticipant, _ to: TraceParticipant, _ text: String, isAnswer: Bool = false,
    isFailure: Bool = false
  ) {
    let message = TraceMessage(from: from, to: to, text: text, isAnswer: isAnswer, isFailure: isFailure)
    noted.withLock { $0.append(message) }
  }
}
