package import Aggregation
package import Codecs
package import Platform
package import TerminalUI

/// State shared by all screens: the terminal, the clock, the data read, the person's place in time, and the overlay.
package struct Session: Sendable {
  package var size: Size
  package var theme: Theme
  /// True if the theme follows the terminal's background, as far as that is known.
  package var followsBackground = false
  /// True if there are more colors once the terminal says that it shows them.
  package var followsColors = false
  /// The theme that the person chose on the screen; `nil` where they left it as it was.
  package var chosenTheme: String?
  package var zone: ClockZone
  /// The wall clock.
  package var now: Timestamp
  /// The last data read.
  package var feed: FeedSnapshot
  /// The data shown: `feed`, or its state when the screen was frozen.
  package var shown: FeedSnapshot
  /// The screens there are, and the one that is shown.
  package var tabs: ScreenTabs
  /// The moment that every screen stands on.
  package var playhead = Playhead.live
  /// Where the playhead was moved last, other than along the rows of one screen.
  @Versioned package var destination = Playhead.live
  /// The length of the window that ends at the playhead, in seconds.
  package var window = Self.usualWindow
  /// The metrics whose curves stay in the charts, in the order in which they were pinned.
  package var pins: [SeriesIdentity] = []
  /// The person's choice of a logarithmic or a linear value axis; `nil` where the values decide.
  package var isLogarithmic: Bool?
  /// True where the axis of the chart drawn last is logarithmic.
  package var hasLogarithmicAxis = false
  /// Right edge of the window while the playhead is at the live end.
  package var liveEdge = Timestamp(0)
  /// The present while the playhead is at the live end: the clock, or the newest sample where windows would be empty.
  package var liveMoment = Timestamp(0)
  /// Time of the newest sample that is not ahead of the clock.
  package var newest: Timestamp?
  /// Known data of the past, and the questions asked of it.
  package var history = KnownHistory()
  /// Where `shown.store` came from.
  package var storeSource = StoreSource.feed(beginnings: 0)
  package var alerts = Alerts()
  /// The excesses that are no news any more.
  package var firing = FiringLimits()
  package var incidents = Incidents()
  /// The event that the person went to.
  package var alertSelection: ChangeEvent.ID?
  /// The alert that the playhead stands on.
  package var visit: AlertVisit?
  /// The metric that the person looked at last, on whichever screen.
  package var subject: SeriesIdentity?
  /// How much of the past the person chose to see last, on whichever screen; `nil` where they never zoomed.
  package var zoom: Zoom?
  /// The stretch that is selected in the history, for the other screens.
  package var selection: Range<Timestamp>?
  package var rail = Rail()
  /// The moment that is shown, where a simulation that is played fast has come beyond the clock.
  package var momentAhead: Timestamp?
  /// Marks and saved views of what is read.
  package var notes: HistoryNotes
  /// Marks that set themselves when their time has come, by time: what a demo tells.
  package var story: [HistoryNotes.Mark] = []
  /// The scenarios that this program can play, by engine; an engine that it does not play has no entry.
  package var scenarios: [EngineKind: [ScenarioTitle]]
  /// The files as they were named on the command line; empty where they are those that are read.
  package var operands: [String] = []
  /// The overlay over the screen.
  package var overlay: Overlay?
  package var limits: LimitSet
  /// Which way metrics get better, by `bucket.name`; lower where nothing is said.
  package var better: [String: BetterDirection] = [:]
  /// Units that the person told, by `bucket.name`; else the name tells.
  package var units: [String: ValueUnit] = [:]
  /// The figures of the Live screen, in their order; `nil` for the usual ones.
  package var columns: [LiveColumn]?
  package var isMouseOn = true
  package var toast: ToastText?
  /// True if a key or the mouse has done something.
  package var isTouched = false
  /// The lines that were typed before.
  package var typedLines = TypedLines()
  /// The request of the shown screen for another one to show something; routed after each message.
  package var request: ScreenRequest?
  /// Samples recorded when the playhead was frozen, and when that was.
  package var recordedAtFreeze = 0
  package var frozenAt = Timestamp.distantPast
  /// Where and when the mouse was pressed last, and whether that was the second press of two.
  package var lastPress: (position: Position, time: Timestamp, isDouble: Bool)?
  /// When a key was pressed last.
  package var lastInput = Timestamp.distantFuture

  /// A short message and when it goes.
  package struct ToastText: Hashable, Sendable {
    package let text: String
    package let until: Timestamp
  }

  /// How much of the past is seen.
  package enum Zoom: Hashable, Sendable {
    /// The screen's own choice.
    case usual
    /// A length in seconds.
    case length(Double)
  }

  /// In the place of the session that a screen is not lent now.
  package static let unlent = Boxed(
    wrappedValue: Session(
      size: .zero, theme: Theme(), zone: .utc, now: Timestamp(0), feed: .unread, shown: .unread,
      tabs: ScreenTabs(titles: []), notes: HistoryNotes(), scenarios: [:], limits: LimitSet()))

  /// A sample further ahead of the clock than this is drawn at the edge and flagged, in seconds.
  package static let tolerance = 5.0
  package static let usualWindow = 120.0
  /// The lengths that zooming goes through, in seconds.
  package static let windows: [Double] = [
    10, 30, 60, 120, 300, 600, 1800, 3600, 3 * 3600, 6 * 3600, 12 * 3600, 86_400, 3 * 86_400, 7 * 86_400,
    30 * 86_400, 365 * 86_400,
  ]
  /// Seconds without a key after which someone who presses one has been away.
  package static let absence = 300.0

  package var store: SeriesStore { shown.store }
  package var fileNames: FileNames { FileNames(shown.status.sources) }
  package var isFrozen: Bool { playhead != .live }

  /// Right edge of the drawn window, which may lie days after the present where the window is of a year.
  package var edge: Timestamp { playheadMoment ?? liveEdge }

  /// The moment that every screen stands on.
  ///
  /// It moves in steps that are short even in long windows, so that what depends on it is not computed for each picture.
  package var present: Timestamp {
    playheadMoment ?? liveMoment.rounded(.up, toMultipleOf: presentStep)
  }

  /// The moment that ages are measured to.
  package var exactPresent: Timestamp { playheadMoment ?? liveMoment }

  private var playheadMoment: Timestamp? {
    if case .frozen(let moment) = playhead { moment } else { nil }
  }

  /// The step that the right edge moves by, so that columns stand still between two steps.
  package var quantum: Double { max(0.1, window / 120) }

  /// The longest step that the present moves by, in seconds: what is compared with the hour is not computed more often.
  package static let longestStep = 10.0
  /// The step that the present moves by.
  package var presentStep: Double { min(quantum, Self.longestStep) }

  /// The unit of a series' numbers.
  package func unit(of identity: SeriesIdentity) -> ValueUnit { identity.unit(units) }

  /// How a key is written on the shown screen, by the usual one.
  package func keyText(_ usual: String) -> String { labels?.text(usual) ?? usual }

  /// A hint with the keys of the shown screen.
  package func keyHint(_ usual: String) -> String { labels?.hint(usual) ?? usual }

  private var labels: KeyLabels? {
    tabs.labels.indices.contains(tabs.selection) ? tabs.labels[tabs.selection] : nil
  }

  /// Shows a message for three seconds.
  package mutating func showToast(_ text: String) {
    toast = ToastText(text: text, until: now + 3)
  }

  /// Shows the colours of a theme; a name that no theme has changes nothing.
  package mutating func showTheme(_ name: String) {
    guard Theme.names.contains(name) else {
      return showToast("The themes are " + Theme.names.joined(separator: ", "))
    }
    theme = theme.named(name)
    (chosenTheme, followsBackground) = (name, false)
    showToast(
      "Theme: \(name)" + (theme.capabilities.depth == .none ? " (this terminal shows no colours)" : ""))
  }

  /// Shows windows of another length, in seconds.
  package mutating func setWindow(_ length: Double) {
    window = max(1, min(Session.windows.last ?? length, length))
  }

  /// Takes the colours that suit the terminal's background, unless a theme was chosen.
  package mutating func followBackground(_ color: Color) {
    if followsBackground { theme = theme.named(Theme.name(isLight: color.isLight)) }
  }

  package mutating func showNextTheme() { showTheme(theme.next.name) }

  /// Seconds between the two presses of a double click.
  private static let doublePressTime = 0.5

  /// Notes a press of the mouse.
  package mutating func notePress(at position: Position) {
    let isDouble =
      lastPress.map { last in
        !last.isDouble && last.position.y == position.y && abs(last.position.x - position.x) <= 1
          && now >= last.time && now - last.time <= Self.doublePressTime
      } ?? false
    lastPress = (position, now, isDouble)
  }

  /// True if the press that is worked on is the second one of a double click.
  package var isDoublePress: Bool { lastPress?.isDouble ?? false }

  /// Asks for something that another screen shows.
  package mutating func open(_ request: ScreenRequest) { self.request = request }
}

/// The names of the screens, in the order of their keys, and which one is shown.
package struct ScreenTabs: Sendable, Hashable {
  package let titles: [ScreenTitle]
  package var selection = 0
  /// How keys are written on each of them.
  package var labels: [KeyLabels] = []

  /// The key that shows a tab.
  package static func key(of tab: Int) -> Character { Character(String((tab + 1) % 10)) }
}

/// The title of a screen.
package struct ScreenTitle: Sendable, Hashable {
  /// On the command line.
  package let name: String
  /// Between the tabs.
  package let title: String
  /// Between the tabs where room is short.
  package let shortTitle: String

  package init(name: String, title: String, shortTitle: String) {
    self.name = name
    self.title = title
    self.shortTitle = shortTitle
  }
}
