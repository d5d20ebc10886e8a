/// The life of a client: idle, initializing, ready, resetting, disabled.
///
/// | from | event | to |
/// |---|---|---|
/// | idle | initialize | initializing |
/// | initializing | initialized | ready |
/// | initializing | failed | idle |
/// | ready, disabled | reset | resetting |
/// | resetting | wasReset | idle |
/// | ready, initializing | refused | disabled |
///
/// Any other pair is refused and changes nothing.
package struct LifecycleMachine: Sendable, Hashable {
  /// The state of a client; the text is the one of the records.
  package enum State: String, Sendable, Hashable, CaseIterable, Codable {
    case idle, initializing, ready, resetting, disabled
  }

  /// An event of the client's life; the text is the one of the records.
  package enum Event: String, Sendable, Hashable, CaseIterable, Codable {
    /// Valid options came.
    case initialize
    /// Identity is there, and the disk was looked at.
    case initialized
    /// Initialization could not be done.
    case failed
    /// The app wants to begin again.
    case reset
    /// All is removed.
    case wasReset
    /// The server answered 401, 403 or 404.
    case refused
  }

  /// One step, or a refusal of one.
  package struct Transition: Sendable, Hashable {
    package let from: State
    package let event: Event
    /// Where it led; where it came from if the event was refused.
    package let to: State
    package let isRefused: Bool
  }

  package private(set) var state = State.idle

  package init() {}

  /// Where an event leads; `nil` where it is refused.
  package static func target(of event: Event, from state: State) -> State? {
    switch (state, event) {
    case (.idle, .initialize): .initializing
    case (.initializing, .initialized): .ready
    case (.initializing, .failed): .idle
    case (.ready, .reset), (.disabled, .reset): .resetting
    case (.resetting, .wasReset): .idle
    case (.ready, .refused), (.initializing, .refused): .disabled
    case (.idle, _), (.initializing, _), (.ready, _), (.resetting, _), (.disabled, _): nil
    }
  }

  /// Takes an event.
  package mutating func handle(_ event: Event) -> Transition {
    let from = state
    let target = Self.target(of: event, from: from)
    state = target ?? from
    return Transition(from: from, event: event, to: state, isRefused: target == nil)
  }
}
