import Aggregation
package import Codecs
package import History
package import TerminalUI

/// All that the screen depends on.
///
/// `update` changes it, `view` draws it; both are pure.
package struct Model: Sendable {
  package internal(set) var size: Size
  package var theme: Theme
  package var zone: ClockZone
  /// The wall clock, in seconds since 2001.
  package internal(set) var now: Double
  /// What was read last.
  package internal(set) var feed: FeedSnapshot
  /// What is shown: `feed`, or what it was when the picture was frozen.
  package internal(set) var shown: FeedSnapshot
  /// The screen that is shown.
  package internal(set) var screen = Screen.live
  /// The moment that every screen stands on.
  package internal(set) var playhead = Playhead.live
  package internal(set) var live = LiveState()
  package internal(set) var history = HistoryState()
  package internal(set) var histogram = HistogramState()
  package internal(set) var sync = SyncScreenState()
  /// Marks and saved looks of what is read.
  package var notes: HistoryNotes
  /// The scenarios that this program can play; `nil` where it plays none, and the Sync screen drives nothing.
  package internal(set) var scenarios: [ScenarioTitle]?
  /// The files as they were named on the command line; empty where they are those that are read.
  package var operands: [String] = []
  /// What lies over the screen.
  package internal(set) var overlay: Overlay?
  /// The most that the 95th percentile of a metric may be, by `bucket.name`.
  package var limits: [String: Double]
  package internal(set) var isMouseOn = true
  package internal(set) var toast: ToastText?
  /// Whether the person left in a way that wants a receipt.
  var wantsReceipt = false
  /// Samples recorded when the playhead was frozen.
  var recordedAtFreeze = 0

  /// A short message and when it goes.
  package struct ToastText: Hashable, Sendable {
    package let text: String
    package let until: Double
  }

  /// - Parameter now: the wall clock, in seconds since 2001.
  package init(
    size: Size, now: Double, theme: Theme = Theme(), zone: ClockZone = .local,
    feed: FeedSnapshot = .unread,
    limits: [String: Double] = [:], notes: HistoryNotes = HistoryNotes(), scenarios: [ScenarioTitle]? = nil
  ) {
    self.scenarios = scenarios
    self.notes = notes
    self.size = size
    self.now = now
    self.theme = theme
    self.zone = zone
    self.limits = limits
    self.feed = feed
    shown = feed
    refresh()
  }

  var layout: LiveLayout {
    LiveLayout(
      size: size, maximised: live.isMaximised ? live.pane : nil, nameWidth: live.content.nameWidth)
  }
  var store: SeriesStore { shown.store }
  var fileNames: FileNames { FileNames(shown.status.sources) }
  var isFrozen: Bool { playhead != .live }

  /// Says something for three seconds.
  mutating func say(_ text: String) {
    toast = ToastText(text: text, until: now + 3)
  }
}

/// What happens to the model.
package enum Message: Sendable {
  /// The wall clock, in seconds since 2001; sent before whatever it is the time of.
  case clock(Double)
  case feed(FeedSnapshot)
  case input(InputEvent)
  /// The line that was looked for, `nil` if it was not found.
  case line(RawLine?, LineQuery)
  /// What there is to know of the history, or that somebody can be asked about it.
  case history(HistoryNews)
  /// One sentence for the person about what the edge has done.
  case said(String)
}

/// What the program's edge must do.
package enum Effect: Hashable, Sendable {
  case quit
  /// The terminal is gone; nobody sees more.
  case giveUp
  case suspend
  case redraw
  case copy(String)
  case mouse(Bool)
  case findLine(LineQuery)
  /// Asks the historian.
  case ask(HistoryQuery)
  case export(HistoryExport)
  /// Gives up what has a progress.
  case cancelWork
  /// Shows a line of a file in the person's editor.
  case edit(path: String, line: Int)
  /// Keeps marks and looks beyond this run.
  case keep(HistoryNotes)
  /// Gives the simulation that this program plays an order.
  case simulate(SimulationOrder)
}
