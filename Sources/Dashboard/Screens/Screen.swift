package import Aggregation
package import Codecs
package import History
package import Platform
package import TerminalUI

/// One screen of the dashboard, as a room of its own: what it keeps, what it does with messages, what its keys do, and
/// how it is drawn.
///
/// A screen is a type without values. It lives in a folder of `Screens/` and in one line of ``ScreenList``; nothing else
/// names it. It works on a ``ScreenModel``: its own state beside the session that all screens share.
package protocol Screen: Sendable {
  /// The state the screen keeps from message to message.
  associatedtype State: Sendable
  associatedtype View: ScreenView where View.Owner == Self
  typealias Context = ScreenModel<Self>

  static var title: ScreenTitle { get }
  static var initialState: State { get }
  /// Actions available on this screen besides those available on all of them. A key in both lists means what it means
  /// here.
  static var actions: [ScreenAction<Self>] { get }
  /// Changes state and session after a message; gives what the program's edge must do.
  static func reduce(_ model: inout Context, _ message: ScreenMessage) -> [Effect]
  static func view(of model: Context) -> View
  /// Takes back the last thing that narrows the view, or returns to the screen that asked for this one; `false` where
  /// there is neither.
  static func stepBack(_ model: inout Context) -> Bool

  // Facts the root needs. All but the first have defaults.

  /// How many rows a page of the list in front has.
  static func page(_ model: Context) -> Int
  /// How many panes Tab goes round.
  static func paneCount(_ model: Context) -> Int
  /// The stretch of time that the screen shows; the rail has it in brackets.
  static func window(_ model: Context) -> Range<Timestamp>
  /// The query for the history; `nil` where the kept samples suffice.
  static func query(_ model: Context) -> HistoryQuery?
  /// True if the screen lives by what it asks the history.
  static var asksHistory: Bool { get }
  /// True if samples that come in make the answer to the same question old.
  static func isAgedBySamples(_ model: Context) -> Bool
  /// True if alerts are searched for also around a frozen playhead.
  static var scansPast: Bool { get }
  /// When something on the screen changes by itself; `nil` when nothing will.
  static func deadline(_ model: Context) -> Timestamp?
  /// The series that the screen is about, the first one most of all.
  static func subjects(_ model: Context) -> [SeriesIdentity]
  /// The order of the rows in a word or two, where the person chose it.
  static func orderText(_ model: Context) -> String?
  /// Names the rows can be sorted by, as typed.
  static func sortNames(_ model: Context) -> [String]
  /// The filter of the rows; `nil` for a screen without such rows.
  static func filter(_ model: Context) -> RowFilter?
  /// True if the filter lets a row through; `true` for a screen without such rows.
  static func hasRows(_ model: Context) -> Bool
  /// A description of the pane in front, in a few sentences without signs or drawings.
  static func description(_ model: Context) -> String
  /// The lines `y` copies; `nil` if there are none.
  static func copiedLines(_ model: Context) -> [String]?
  /// The words of the command that draws what is shown, without the program and the files.
  static func command(_ model: Context) -> [String]
  /// The moment that a mark is set at, and what it says.
  static func mark(_ model: Context) -> (time: Timestamp, text: String)
  /// How exactly the playhead's moment is written.
  static func precision(_ model: Context) -> ClockZone.Precision
  /// The line that the overlay ``Overlay/rawLine`` shows; `nil` while it is not known.
  static func rawLine(_ model: Context) -> RawLine?
  /// Choices of a picker, whatever is typed; a typed number may make a choice of its own.
  static func choices(_ model: Context, _ picker: Picker, query: String) -> [PickerChoice<Self>]
  /// The answers to a question that waits for a letter; empty where any letter is one.
  static func letterChoices(_ model: Context, _ use: LetterUse) -> [LetterChoice]
  /// The name that was asked for and that no metric has; `nil` without one.
  static func unknownMetric(_ model: Context) -> String?
  /// A field, or a value of one, that was asked for and that is not there, in words that list what is; `nil` without one.
  static func unknownField(_ model: Context) -> String?
  /// The signs of the screen and what they mean, for help.
  static func legend(_ signs: Signs) -> [(sign: String, meaning: String)]
  /// True if the screen shows what another one, or the command line, wants to have shown.
  static func accepts(_ request: ScreenRequest) -> Bool
  /// Shows it; the screen has been brought to the front.
  static func open(_ model: inout Context, _ request: ScreenRequest) -> [Effect]
  /// Shows the screen as a command line wants it, without a person at the keys.
  static func arrange(_ model: inout Context, _ arrangement: Arrangement)
  /// The person's choices restored with the file's next opening, by the screen's own names.
  static func kept(_ model: Context) -> [String: String]
  /// Takes up what was kept; any texts may come.
  static func restore(_ model: inout Context, _ kept: [String: String])
}

/// A screen's own state beside what all screens share, while the screen works on both.
package struct ScreenModel<Owner: Screen>: Sendable {
  @Boxed package var state: Owner.State
  @Boxed package var session: Session
  /// The screen's place in the list.
  let place: Int

  init(state: Boxed<Owner.State>, session: Boxed<Session>, place: Int) {
    (_state, _session) = (state, session)
    self.place = place
  }

  /// The way back here, to this moment and this much of the past.
  var returnTicket: ReturnTicket {
    ReturnTicket(screen: place, playhead: session.playhead, zoom: session.zoom)
  }

  /// Work whose result comes back as ``ScreenMessage/worked(_:)``.
  func work(_ name: String, _ run: @escaping @Sendable () -> any Sendable) -> Effect {
    .work(Work(id: Work.ID(screen: place, name: name), run: run))
  }
}

/// One thing to choose of a picker.
package struct PickerChoice<Owner: Screen>: Sendable {
  let title: String
  let run: @Sendable (inout ScreenModel<Owner>) -> [Effect]

  init(_ title: String, effects run: @escaping @Sendable (inout ScreenModel<Owner>) -> [Effect]) {
    self.title = title
    self.run = run
  }

  /// A choice that changes nothing but the model.
  init(_ title: String, change: @escaping @Sendable (inout ScreenModel<Owner>) -> Void) {
    self.init(title) { model -> [Effect] in
      change(&model)
      return []
    }
  }
}
