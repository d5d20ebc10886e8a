import Aggregation
import History

/// A screen with its state, whichever screen it is.
///
/// The state is moved out while a message is worked on, so that it is changed in place.
struct Room<Owner: Screen>: AnyRoom {
  private var held: Boxed<Owner.State>?
  let place: Int

  init(place: Int) {
    held = Boxed(wrappedValue: Owner.initialState)
    self.place = place
  }

  var state: Owner.State {
    get { box.wrappedValue }
    set { held = Boxed(wrappedValue: newValue) }
  }
  private var box: Boxed<Owner.State> { held ?? Boxed(wrappedValue: Owner.initialState) }
  var title: ScreenTitle { Owner.title }
  var asksHistory: Bool { Owner.asksHistory }
  var scansPast: Bool { Owner.scansPast }

  func model(in session: Boxed<Session>) -> ScreenModel<Owner> {
    ScreenModel(state: box, session: session, place: place)
  }

  /// Lets something work on state and session.
  mutating func work<Result>(
    on session: inout Boxed<Session>, _ body: (inout ScreenModel<Owner>) -> Result
  ) -> Result {
    var model = model(in: session)
    held = nil
    let result = body(&model)
    session = model.$session
    held = model.$state
    return result
  }

  mutating func reduce(_ session: inout Boxed<Session>, _ message: ScreenMessage) -> [Effect] {
    work(on: &session) { Owner.reduce(&$0, message) }
  }

  mutating func stepBack(_ session: inout Boxed<Session>) -> Bool {
    work(on: &session) { Owner.stepBack(&$0) }
  }

  func accepts(_ request: ScreenRequest) -> Bool { Owner.accepts(request) }

  mutating func open(_ session: inout Boxed<Session>, _ request: ScreenRequest) -> [Effect] {
    work(on: &session) { Owner.open(&$0, request) }
  }

  mutating func arrange(_ session: inout Boxed<Session>, _ arrangement: Arrangement) {
    work(on: &session) { Owner.arrange(&$0, arrangement) }
  }

  func facts(in session: Boxed<Session>) -> any ScreenFacts { model(in: session) }

  func kept(in session: Boxed<Session>) -> [String: String] { Owner.kept(model(in: session)) }

  mutating func restore(_ session: inout Boxed<Session>, _ kept: [String: String]) {
    work(on: &session) { Owner.restore(&$0, kept) }
  }

  var actions: [ActionDescription] { Owner.actions.map(\.description) }

  func refusal(of action: Int, in session: Boxed<Session>) -> String? {
    Owner.actions[action].refusal(model(in: session))
  }

  mutating func perform(_ action: Int, on session: inout Boxed<Session>) -> [Effect] {
    work(on: &session, Owner.actions[action].run)
  }
}

/// The root's interface to any screen.
protocol AnyRoom: Sendable {
  var title: ScreenTitle { get }
  var asksHistory: Bool { get }
  var scansPast: Bool { get }
  /// The screen's own actions.
  var actions: [ActionDescription] { get }
  /// Why one of them cannot be done now; `nil` when it can.
  func refusal(of action: Int, in session: Boxed<Session>) -> String?
  mutating func perform(_ action: Int, on session: inout Boxed<Session>) -> [Effect]
  mutating func reduce(_ session: inout Boxed<Session>, _ message: ScreenMessage) -> [Effect]
  mutating func stepBack(_ session: inout Boxed<Session>) -> Bool
  func accepts(_ request: ScreenRequest) -> Bool
  mutating func open(_ session: inout Boxed<Session>, _ request: ScreenRequest) -> [Effect]
  mutating func arrange(_ session: inout Boxed<Session>, _ arrangement: Arrangement)
  /// Values the screen keeps for the next opening of the file.
  func kept(in session: Boxed<Session>) -> [String: String]
  mutating func restore(_ session: inout Boxed<Session>, _ kept: [String: String])
  /// The screen's answers to the root's questions.
  func facts(in session: Boxed<Session>) -> any ScreenFacts
}
