/// The lifecycle of a client: idle, initializing, ready, resetting, disabled.
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
/// Any other combination is refused and changes nothing.
package struct LifecycleMachine: Sendable, Hashable {
  /// The state of a client; the raw value appears in records.
  package enum State: String, Sendable, Hashable, CaseIterable, Codable {
    case idle, initializing, ready, resetting, disabled
  }

  /// An event of the lifecycle; the raw value appears in records.
  package enum Event: String, Sendable, Hashable, CaseIterable, Codable {
    /// Initialization was requested with valid options.
    case initialize
    /// The identity is loaded, and the disk was read.
    case initialized
    /// Initialization failed.
    case failed
    /// The app requested a reset.
    case reset
    /// Everything has been removed.
    case wasReset
    /// The server answered 401, 403 or 404.
    case refused
  }

  /// One transition, or its refusal.
  package struct Transition: Sendable, Hashable {
    package let from: State
    package let event: Event
    /// The new state; equal to `from` if the event was refused.
    package let to: State
    package let isRefused: Bool
  }

  package private(set) var state = State.idle

  package init() {}

  /// The target of an event; `nil` if it is refused.
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

  /// Handles an event.
  package mutating func handle(_ event: Event) -> Transition {
    let from = state
    let target = Self.target(of: event, from: from)
    state = target ?? from
    return Transition(from: from, event: event, to: state, isRefused: target == nil)
  }
}
