import DeliveryCore
import Testing

@Suite("The life of a client")
struct LifecycleMachineTests {
  @Test("goes only where the table says")
  func table() {
    let steps: [(LifecycleMachine.State, LifecycleMachine.Event, LifecycleMachine.State)] = [
      (.idle, .initialize, .initializing), (.initializing, .initialized, .ready),
      (.initializing, .failed, .idle),
      (.initializing, .refused, .disabled), (.ready, .reset, .resetting), (.ready, .refused, .disabled),
      (.disabled, .reset, .resetting), (.resetting, .wasReset, .idle),
    ]
    for state in LifecycleMachine.State.allCases {
      for event in LifecycleMachine.Event.allCases {
        let expected = steps.first { $0.0 == state && $0.1 == event }?.2
        #expect(LifecycleMachine.target(of: event, from: state) == expected)
      }
    }
  }

  @Test("stays where it is when an event is refused")
  func refusal() {
    var machine = LifecycleMachine()
    #expect(machine.handle(.reset).isRefused)
    #expect(machine.state == .idle)
    #expect(machine.handle(.initialize).to == .initializing)
    #expect(machine.handle(.initialize).isRefused)
    #expect(machine.state == .initializing)
  }
}
