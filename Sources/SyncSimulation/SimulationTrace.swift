import Platform
import Sync

/// A participant in an exchange of messages.
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
  /// The sender.
  public let from: TraceParticipant
  /// The receiver.
  public let to: TraceParticipant
  /// The text of the message.
  public let text: String
  /// True if it answers another message.
  public let isAnswer: Bool
  /// True if it ends a failed exchange.
  public let isFailure: Bool
  /// Number of entries recorded before it.
  public let entriesBefore: Int
}

/// Records the messages between app, engine, store and server, in order.
public final class SimulationTrace: Sendable {
  private struct State {
    var messages: [TraceMessage] = []
    var entryCount: @Sendable () -> Int = { 0 }
  }

  private let state = Locked(State())

  /// An empty trace.
  public init() {}

  /// The messages so far.
  public var messages: [TraceMessage] { state.withLock { $0.messages } }

  /// Sets the source of the number of entries recorded before each message.
  func count(by entryCount: @escaping @Sendable () -> Int) {
    state.withLock { $0.entryCount = entryCount }
  }

  func note(
    _ from: TraceParticipant, _ to: TraceParticipant, _ text: String, isAnswer: Bool = false,
    isFailure: Bool = false
  ) {
    let entries = state.withLock { $0.entryCount }()
    let message = TraceMessage(
      from: from, to: to, text: text, isAnswer: isAnswer, isFailure: isFailure, entriesBefore: entries)
    state.withLock { $0.messages.append(message) }
  }
}
