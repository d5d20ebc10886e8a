package import Aggregation
package import Codecs
package import History
package import Platform
package import TerminalUI

/// One screen of the dashboard, as a value: what it keeps, what it does with messages, what its keys do, and how it is
/// drawn.
///
/// A screen lives in a folder of its own and in one line of ``ScreenList``; nothing else names it. The root lends it the
/// session that all screens share, so it works on its own ``state`` and on ``session`` in place.
package protocol Screen: Sendable {
  /// The state the screen keeps from message to message.
  associatedtype State: Sendable
  associatedtype View: ScreenView where View.Owner == Self

  static var title: ScreenTitle { get }
  /// Actions available on this screen besides those available on all of them. A key in both lists means what it means
  /// here.
  static var actions: [ScreenAction<Self>] { get }
  var context: ScreenContext<State> { get set }
  var view: View { get }
  /// Changes state and session after a message; gives what the program's edge must do.
  mutating func handle(_ message: ScreenMessage) -> [Effect]

  // The root's questions. All have defaults.

  /// Takes back the last thing that narrows the view, or returns to the screen that asked for this one; `false` where
  /// there is neither.
  mutating func stepBack() -> Bool
  /// How many rows a page of the list in front has.
  var page: Int { get }
  /// How many panes Tab goes round.
  var paneCount: Int { get }
  /// The stretch of time that the screen shows; the rail has it in brackets.
  var railWindow: Range<Timestamp> { get }
  /// The query for the history; `nil` where the kept samples suffice.
  var query: HistoryQuery? { get }
  /// True if the screen lives by what it asks the history.
  static var asksHistory: Bool { get }
  /// True if samples that come in make the answer to the same question old.
  var isAgedBySamples: Bool { get }
  /// True if alerts are searched for also around a frozen playhead.
  static var scansPast: Bool { get }
  /// When something on the screen changes by itself; `nil` when nothing will.
  var deadline: Timestamp? { get }
  /// The series that the screen is about, the first one most of all.
  var subjects: [SeriesIdentity] { get }
  /// The order of the rows in a word or two, where the person chose it.
  var orderText: String? { get }
  /// Names the rows can be sorted by, as typed.
  var sortNames: [String] { get }
  /// The filter of the rows; `nil` for a screen without such rows.
  var filter: RowFilter? { get }
  /// True if the filter lets a row through; `true` for a screen without such rows.
  var hasRows: Bool { get }
  /// A description of the pane in front, in a few sentences without signs or drawings.
  var description: String { get }
  /// True if there are numbers for the description; `false` while they are asked for.
  var hasNumbers: Bool { get }
  /// The metrics of the list in its order, for the ear.
  var listedMetrics: [SeriesIdentity] { get }
  /// A metric with its figures in one line; `nil` for a screen that lists no metrics.
  func figures(of identity: SeriesIdentity) -> String?
  /// The lines `y` copies; `nil` if there are none.
  var copiedLines: [String]? { get }
  /// The words of the command that draws what is shown, without the program and the files.
  var command: [String] { get }
  /// The moment that a mark is set at, and what it says.
  var mark: (time: Timestamp, text: String) { get }
  /// How exactly the playhead's moment is written.
  var precision: ClockZone.Precision { get }
  /// The line that the overlay ``Overlay/rawLine`` shows; `nil` while it is not known.
  var rawLine: RawLine? { get }
  /// Choices of a picker, whatever is typed; a typed number may make a choice of its own.
  func choices(_ picker: Picker, query: String) -> [PickerChoice<Self>]
  /// The answers to a question that waits for a letter; empty where any letter is one.
  func letterChoices(_ use: LetterUse) -> [LetterChoice]
  /// The name that was asked for and that no metric has; `nil` without one.
  var unknownMetric: String? { get }
  /// A field, or a value of one, that was asked for and that is not there, in words that list what is; `nil` without one.
  var unknownField: String? { get }
  /// The signs of the screen and what they mean, for help.
  var legend: [(sign: String, meaning: String)] { get }
  /// True if the screen shows what another one, or the command line, wants to have shown.
  static func accepts(_ request: ScreenRequest) -> Bool
  /// Shows it; the screen has been brought to the front.
  mutating func open(_ request: ScreenRequest) -> [Effect]
  /// Shows the screen as a command line wants it, without a person at the keys.
  mutating func arrange(_ arrangement: Arrangement)
  /// The person's choices restored with the file's next opening, by the screen's own names.
  var kept: [String: String] { get }
  /// Takes up what was kept; any texts may come.
  mutating func restore(_ kept: [String: String])
}

/// A screen's own state beside the session, which the root lends it while it works.
package struct ScreenContext<State: Sendable>: Sendable {
  @Boxed package var state: State
  package var session = Session.unlent
  /// The screen's place in the list.
  package var place = 0

  package init(_ state: State) { _state = Boxed(wrappedValue: state) }
}

extension Screen {
  /// The state the screen keeps from message to message.
  package var state: State {
    get { context.state }
    _modify { yield &context.state }
  }

  /// The session, while the root lends it.
  package var session: Session {
    get { context.session.wrappedValue }
    _modify { yield &context.session.wrappedValue }
  }

  /// The way back here, to this moment and this much of the past.
  package var returnTicket: ReturnTicket {
    ReturnTicket(screen: context.place, playhead: session.playhead, zoom: session.zoom)
  }

  /// Work whose result comes back as ``ScreenMessage/worked(_:)``.
  package func work(_ name: String, _ run: @escaping @Sendable () -> any Sendable) -> Effect {
    .work(Work(id: Work.ID(screen: context.place, name: name), run: run))
  }

  /// The words of the command that draws the screen at its size.
  package var snapshotWords: [String] {
    ["snapshot", "--screen", Self.title.name, "--size", "\(session.size.width)x\(session.size.height)"]
  }

  // MARK: For the root, which does not know what screen it is

  package var title: ScreenTitle { Self.title }
  package var asksHistory: Bool { Self.asksHistory }
  package var scansPast: Bool { Self.scansPast }
  package func accepts(_ request: ScreenRequest) -> Bool { Self.accepts(request) }

  package var place: Int {
    get { context.place }
    set { context.place = newValue }
  }

  package var lentSession: Boxed<Session> {
    get { context.session }
    set { context.session = newValue }
  }

  /// Takes the session and leaves what it had, or the reverse.
  package mutating func swapSession(with session: inout Boxed<Session>) { swap(&context.session, &session) }

  /// The screen's own actions.
  package var actionDescriptions: [ActionDescription] { Self.actions.map(\.description) }

  /// Why an action cannot be done now; `nil` when it can.
  package func refusal(ofAction index: Int) -> String? { Self.actions[index].refusal(self) }

  package mutating func perform(action index: Int) -> [Effect] { Self.actions[index].run(&self) }

  /// The titles of what can be chosen of a picker.
  package func choiceTitles(_ picker: Picker, query: String) -> [String] {
    choices(picker, query: query).map(\.title)
  }

  /// Does what a choice of a picker stands for.
  package mutating func pick(_ picker: Picker, query: String, place: Int) -> [Effect] {
    let all = choices(picker, query: query)
    return all.indices.contains(place) ? all[place].run(&self) : []
  }

  package var footerHints: [Footer.Hint] { view.footerHints }

  package func draw(into frame: inout Frame) { view.draw(into: &frame) }
}

/// One thing to choose of a picker.
package struct PickerChoice<Owner: Screen>: Sendable {
  package let title: String
  package let run: @Sendable (inout Owner) -> [Effect]

  package init(_ title: String, effects run: @escaping @Sendable (inout Owner) -> [Effect]) {
    self.title = title
    self.run = run
  }

  /// A choice that changes nothing but the screen.
  package init(_ title: String, change: @escaping @Sendable (inout Owner) -> Void) {
    self.init(title) { screen -> [Effect] in
      change(&screen)
      return []
    }
  }
}
