package import Aggregation
package import Codecs
package import History
package import Platform
package import TerminalUI

/// One screen of the dashboard, as a value: its state, message handling, keys and drawing.
///
/// A screen lives in a target of its own and in one line of `ScreenList`; nothing else names it. The root lends it
/// the session shared by all screens, so it changes its own ``state`` and ``session`` in place.
package protocol Screen: Sendable {
  /// The state that the screen keeps between messages.
  associatedtype State: Sendable
  associatedtype View: ScreenView where View.Owner == Self

  static var title: ScreenTitle { get }
  /// Actions available on this screen besides the shared ones. For a key in both lists, these take precedence.
  static var actions: [ScreenAction<Self>] { get }
  var context: ScreenContext<State> { get set }
  var view: View { get }
  /// Changes state and session after a message; returns effects for the loop.
  mutating func handle(_ message: ScreenMessage) -> [Effect]

  // Queries of the root. All have defaults.

  /// Undoes the last filter or selection, or returns to the requesting screen; `false` if there is neither.
  mutating func stepBack() -> Bool
  /// Rows per page of the active list.
  var page: Int { get }
  /// Number of panes in the Tab cycle.
  var paneCount: Int { get }
  /// The time range that the screen shows; the rail marks it with brackets.
  var railWindow: Range<Timestamp> { get }
  /// The query for the history; `nil` if the samples in memory suffice.
  var query: HistoryQuery? { get }
  /// True if the screen depends on answers of the history.
  static var asksHistory: Bool { get }
  /// True if the screen shows one host alone while the session is narrowed to it.
  var isNarrowed: Bool { get }
  /// True if new samples make the answer to the same query outdated.
  var isAgedBySamples: Bool { get }
  /// True if alerts are also searched for around a frozen playhead.
  static var scansPast: Bool { get }
  /// The next time at which something on the screen changes by itself; `nil` for never.
  var deadline: Timestamp? { get }
  /// The series in focus, the most relevant first.
  var subjects: [SeriesIdentity] { get }
  /// The problem that the first line names; `nil` if it names none.
  var headline: ChangeEvent? { get }
  /// The order of the rows in a word or two, if the user chose it.
  var orderText: String? { get }
  /// Names that the rows can be sorted by, as typed.
  var sortNames: [String] { get }
  /// The filter of the rows; `nil` for a screen without such rows.
  var filter: RowFilter? { get }
  /// True if the filter matches a row; `true` for a screen without filtered rows.
  var hasRows: Bool { get }
  /// A description of the active pane, in a few sentences without signs or drawings.
  var description: String { get }
  /// True if figures for the description are available; `false` while a query is pending.
  var hasNumbers: Bool { get }
  /// The metrics of the list in its order, for speech.
  var listedMetrics: [SeriesIdentity] { get }
  /// A metric with its figures in one line; `nil` for a screen without a list of metrics.
  func figures(of identity: SeriesIdentity) -> String?
  /// The lines that `y` copies; `nil` if there are none.
  var copiedLines: [String]? { get }
  /// The content as a table for other programs; `nil` if there is none.
  var screenTable: ScreenTable? { get }
  /// The arguments of the command that draws the screen, without program and files.
  var command: [String] { get }
  /// The time of a new mark, and its text.
  var mark: (time: Timestamp, text: String) { get }
  /// The precision of the playhead's time.
  var precision: ClockZone.Precision { get }
  /// The line for the overlay ``Overlay/rawLine``; `nil` while it is unknown.
  var rawLine: RawLine? { get }
  /// Choices of a picker, whatever the query; a typed number may add one.
  func choices(_ picker: Picker, query: String) -> [PickerChoice<Self>]
  /// The answers to a question that waits for a letter; empty if any letter is valid.
  func letterChoices(_ use: LetterUse) -> [LetterChoice]
  /// The requested name that no metric has; `nil` without one.
  var unknownMetric: String? { get }
  /// A requested field or value that does not exist, as a text that lists the existing ones; `nil` otherwise.
  var unknownField: String? { get }
  /// The screen's signs and their meanings, for help.
  var legend: [(sign: String, meaning: String)] { get }
  /// True if the screen can handle a request of another screen or of the command line.
  static func accepts(_ request: ScreenRequest) -> Bool
  /// Handles a request; the screen is already in front.
  mutating func open(_ request: ScreenRequest) -> [Effect]
  /// Arranges the screen for a command line, without a user.
  mutating func arrange(_ arrangement: Arrangement)
  /// The user's choices to restore at the file's next opening, by the screen's own names.
  var kept: [String: String] { get }
  /// Restores saved choices; the texts are untrusted.
  mutating func restore(_ kept: [String: String])
}

/// A screen's own state, beside the session that the root lends it.
package struct ScreenContext<State: Sendable>: Sendable {
  package var state: Boxed<State>
  package var session = Session.unlent
  /// The screen's index in the list.
  package var place = 0

  package init(_ state: State) { self.state = Boxed(wrappedValue: state) }
}

extension Screen {
  /// The state that the screen keeps between messages.
  package var state: State {
    _read { yield context.state.wrappedValue }
    _modify { yield &context.state.wrappedValue }
  }

  /// The session, while lent by the root.
  package var session: Session {
    _read { yield context.session.wrappedValue }
    _modify { yield &context.session.wrappedValue }
  }

  /// The way back to this screen, time and zoom.
  package var returnTicket: ReturnTicket {
    ReturnTicket(screen: context.place, playhead: session.playhead, zoom: session.zoom)
  }

  /// Background work whose result comes back as ``ScreenMessage/worked(_:)``.
  package func work(_ name: String, _ run: @escaping @Sendable () -> any Sendable) -> Effect {
    .work(Work(id: Work.ID(screen: context.place, name: name), run: run))
  }

  /// The arguments of the command that draws the screen at its size.
  package var snapshotWords: [String] {
    ["snapshot", "--screen", Self.title.name, "--size", "\(session.size.width)x\(session.size.height)"]
  }

  // MARK: For the root, which does not know the screen's type

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

  /// Swaps the session with the screen's placeholder.
  package mutating func swapSession(with session: inout Boxed<Session>) { swap(&context.session, &session) }

  /// The screen's own actions.
  package var actionDescriptions: [ActionDescription] { Self.actions.map(\.description) }

  /// The reason that an action is unavailable now; `nil` if it is available.
  package func refusal(ofAction index: Int) -> String? { Self.actions[index].refusal(self) }

  package mutating func perform(action index: Int) -> [Effect] { Self.actions[index].run(&self) }

  /// The titles of a picker's choices.
  package func choiceTitles(_ picker: Picker, query: String) -> [String] {
    choices(picker, query: query).map(\.title)
  }

  /// Performs a picker's choice.
  package mutating func pick(_ picker: Picker, query: String, place: Int) -> [Effect] {
    let all = choices(picker, query: query)
    return all.indices.contains(place) ? all[place].run(&self) : []
  }

  package var footerHints: [Footer.Hint] { view.footerHints }

  package func draw(into frame: inout Frame) { view.draw(into: &frame) }
}

/// One choice of a picker.
package struct PickerChoice<Owner: Screen>: Sendable {
  package let title: String
  package let run: @Sendable (inout Owner) -> [Effect]

  package init(_ title: String, effects run: @escaping @Sendable (inout Owner) -> [Effect]) {
    self.title = title
    self.run = run
  }

  /// Creates a choice that changes only the screen.
  package init(_ title: String, change: @escaping @Sendable (inout Owner) -> Void) {
    self.init(title) { screen -> [Effect] in
      change(&screen)
      return []
    }
  }
}

extension ScreenTabs {
  /// The titles of some screens, each once.
  package static func titles(of screens: [any Screen]) -> [ScreenTitle] {
    screens.reduce(into: []) { titles, screen in
      if !titles.contains(screen.title) { titles.append(screen.title) }
    }
  }
}
