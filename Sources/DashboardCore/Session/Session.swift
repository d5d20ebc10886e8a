package import Aggregation
package import Codecs
package import History
package import Platform
package import TelemetryCore
package import TerminalUI

/// State shared by all screens: the terminal, the clock, the data read, the user's position in time, and the overlay.
package struct Session: Sendable {
  package var size: Size
  package var theme: Theme
  /// True if the theme follows the background of the terminal, as far as that is known.
  package var followsBackground = false
  /// True if more colors come into use once the terminal reports support for them.
  package var followsColors = false
  /// True if the glyphs follow the terminal, because none were chosen.
  package var followsGlyphs = false
  /// The theme chosen on the screen; `nil` while unchanged.
  package var chosenTheme: String?
  package var zone: ClockZone
  /// The wall clock.
  package var now: Timestamp
  /// True to draw sources whose clocks differ by the arrival of their lines; otherwise by their stamps.
  package var alignsToArrival = false
  /// Arrival minus stamp of the sources whose stamps are the times of the screen, in seconds; usually 0.
  package internal(set) var clockSkew = 0.0
  /// The last data read.
  package var feed: FeedSnapshot
  /// The data shown: `feed`, or its state when the screen was frozen.
  package var shown: FeedSnapshot
  /// All screens, and which one is shown.
  package var tabs: ScreenTabs
  /// The moment of every screen.
  package var playhead = Playhead.live
  /// The last target of a playhead movement, other than along the rows of one screen.
  @Versioned package var destination = Playhead.live
  /// The length of the window that ends at the playhead, in seconds.
  package var window = Self.usualWindow
  /// The metrics whose curves stay in the charts, in the order of pinning.
  package var pins: [SeriesIdentity] = []
  /// The user's choice of a logarithmic or a linear value axis; `nil` if the values decide.
  package var isLogarithmic: Bool?
  /// True if the last drawn chart has a logarithmic axis.
  package var hasLogarithmicAxis = false
  /// Right edge of the window while the playhead is at the live end.
  package var liveEdge = Timestamp(0)
  /// The present while the playhead is at the live end: the clock, or the newest sample where windows would be empty.
  package var liveMoment = Timestamp(0)
  /// Time of the newest sample that is not ahead of the clock.
  package var newest: Timestamp?
  /// Known data of the past, and the queries sent for it.
  package var history = KnownHistory()
  /// The origin of `shown.store`.
  package var storeSource = StoreSource.feed(.all, beginnings: 0)
  package var alerts = Alerts()
  /// The excesses that have been announced.
  package var firing = FiringLimits()
  package var incidents = Incidents()
  /// The number of false lines allowed among the incidents.
  package var sensitivity = DetectionBudget.Sensitivity.normal
  /// The event that the user went to.
  package var alertSelection: ChangeEvent.ID?
  /// The alert at the playhead.
  package var visit: AlertVisit?
  /// The metric last examined, on any screen.
  package var subject: SeriesIdentity?
  /// The last zoom chosen, on any screen; `nil` before the first one.
  package var zoom: Zoom?
  /// The hosts that screens of the history are narrowed to.
  package var scope = HostScope.all
  /// The time range selected in the history, for the other screens.
  package var selection: Range<Timestamp>?
  package var rail = Rail()
  /// The shown moment, where a fast simulation has run ahead of the clock.
  package var momentAhead: Timestamp?
  /// Marks and saved views of the files read.
  package var notes: HistoryNotes
  /// Marks that are set automatically when due, in order of time: the story of a demo.
  package var story: [HistoryNotes.Mark] = []
  /// The scenarios that this program can play, by engine; engines it cannot play have no entry.
  package var scenarios: [EngineKind: [ScenarioTitle]]
  /// The files as named on the command line; empty if they are the files read.
  package var operands: [String] = []
  /// The operands that are read from files of this session, such as unpacked ones, by the paths of those files.
  package var spooled: [String: String] = [:]
  /// The payload files, or parts of them, that could not be read.
  package var unreadPayloads: [FeedRejection] = []
  /// Names the functions in call stacks; `nil` without debug symbols.
  package var symbols: (any CallStackSymbols)?
  /// The overlay over the screen.
  package var overlay: Overlay?
  /// Keeps the session in memory: `Screen.session` would otherwise lend a copy on its own stack, of which screens read
  /// parts after its end (Swift 6.3 without optimization; the address sanitizer finds it).
  private let lent: (any Sendable)? = nil
  package var limits: LimitSet
  /// The direction in which metrics improve, by `bucket.name`; the default is lower.
  package var better: [String: BetterDirection] = [:]
  /// Units set by the user, by `bucket.name`; other units follow from the name.
  package var units: [String: ValueUnit] = [:]
  /// The figures of the Live screen, in order; `nil` for the defaults.
  package var columns: [LiveColumn]?
  package var isMouseOn = true
  package var toast: ToastText?
  /// True after the first key press or mouse action.
  package var isTouched = false
  /// Lines typed before.
  package var typedLines = TypedLines()
  /// The shown screen's request for another one to show something; routed after each message.
  package var request: ScreenRequest?
  /// The number of recorded samples when the playhead was frozen, and the time of that.
  package var recordedAtFreeze = 0
  package var frozenAt = Timestamp.distantPast
  /// The last press of the mouse, and whether it completed a double click.
  package var lastPress: (position: Position, time: Timestamp, isDouble: Bool)?
  /// The time of the last key press.
  package var lastInput = Timestamp.distantFuture

  /// A short message, and when it disappears.
  package struct ToastText: Hashable, Sendable {
    package let text: String
    package let until: Timestamp
  }

  /// How much of the past is visible.
  package enum Zoom: Hashable, Sendable {
    /// The default of the screen.
    case usual
    /// A length in seconds.
    case length(Double)
  }

  /// A placeholder for a screen that is not lent the session at the moment.
  package static let unlent = Boxed(
    wrappedValue: Session(
      size: .zero, theme: Theme(), zone: .utc, now: Timestamp(0), feed: .unread, shown: .unread,
      tabs: ScreenTabs(titles: []), notes: HistoryNotes(), scenarios: [:], limits: LimitSet()))

  /// In seconds: a sample further ahead of the clock is drawn at the edge and flagged.
  package static let tolerance = 5.0
  package static let usualWindow = 120.0
  /// The zoom levels, in seconds.
  package static let windows: [Double] = [
    10, 30, 60, 120, 300, 600, 1800, 3600, 3 * 3600, 6 * 3600, 12 * 3600, 86_400, 3 * 86_400, 7 * 86_400,
    30 * 86_400, 365 * 86_400,
  ]
  /// Seconds without a key press that count as an absence.
  package static let absence = 300.0

  package var store: SeriesStore { shown.store }
  package var fileNames: FileNames { FileNames(shown.status.sources) }
  package var isFrozen: Bool { playhead != .live }

  /// Right edge of the drawn window; in a window of a year it may lie days after the present.
  package var edge: Timestamp { playheadMoment ?? liveEdge }

  /// The moment of every screen.
  ///
  /// It moves in steps that stay short even in long windows, so that dependent values are not computed for every frame.
  package var present: Timestamp {
    playheadMoment ?? liveMoment.rounded(.up, toMultipleOf: presentStep)
  }

  /// The moment from which ages are measured.
  package var exactPresent: Timestamp { playheadMoment ?? liveMoment }

  private var playheadMoment: Timestamp? {
    if case .frozen(let moment) = playhead { moment } else { nil }
  }

  /// The step of the right edge, so that columns stand still between two steps.
  package var quantum: Double { max(0.1, window / 120) }

  /// The longest step of the present, in seconds: limits how often values compared with the last hour are computed.
  package static let longestStep = 10.0
  /// The step of the present.
  package var presentStep: Double { min(quantum, Self.longestStep) }

  /// The unit of a series' numbers.
  package func unit(of identity: SeriesIdentity) -> ValueUnit { identity.unit(units) }

  /// The label of a key on the shown screen, by the default key.
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

  /// Applies the colours of a theme; an unknown name changes nothing.
  package mutating func showTheme(_ name: String) {
    guard Theme.names.contains(name) else {
      return showToast("The themes are " + Theme.names.joined(separator: ", "))
    }
    theme = theme.named(name)
    (chosenTheme, followsBackground) = (name, false)
    showToast(
      "Theme: \(name)" + (theme.capabilities.depth == .none ? " (this terminal shows no colours)" : ""))
  }

  /// Sets the length of windows, in seconds.
  package mutating func setWindow(_ length: Double) {
    window = max(1, min(Session.windows.last ?? length, length))
  }

  /// Adopts the colours that suit the terminal's background, unless the user chose a theme.
  package mutating func followBackground(_ color: Color) {
    if followsBackground { theme = theme.named(Theme.name(isLight: color.isLight)) }
  }

  package mutating func showNextTheme() { showTheme(theme.next.name) }

  /// Maximum seconds between the two presses of a double click.
  private static let doublePressTime = 0.5

  /// Records a press of the mouse.
  package mutating func notePress(at position: Position) {
    let isDouble =
      lastPress.map { last in
        !last.isDouble && last.position.y == position.y && abs(last.position.x - position.x) <= 1
          && now >= last.time && now - last.time <= Self.doublePressTime
      } ?? false
    lastPress = (position, now, isDouble)
  }

  /// True if the press being handled completes a double click.
  package var isDoublePress: Bool { lastPress?.isDouble ?? false }

  /// Requests something that another screen shows.
  package mutating func open(_ request: ScreenRequest) { self.request = request }
}

/// The names of the screens, in the order of their keys, and which one is shown.
package struct ScreenTabs: Sendable, Hashable {
  package let titles: [ScreenTitle]
  package var selection = 0
  /// Key labels of each screen.
  package var labels: [KeyLabels] = []

  /// The key that shows a tab.
  package static func key(of tab: Int) -> Character { Character(String((tab + 1) % 10)) }
}

/// The title of a screen.
package struct ScreenTitle: Sendable, Hashable {
  /// The name on the command line.
  package let name: String
  /// The title among the tabs.
  package let title: String
  /// The title among the tabs where space is short.
  package let shortTitle: String

  package init(name: String, title: String, shortTitle: String) {
    self.name = name
    self.title = title
    self.shortTitle = shortTitle
  }
}
