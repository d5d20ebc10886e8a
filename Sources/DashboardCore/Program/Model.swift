import Aggregation
package import Codecs
import History
package import Platform
package import TerminalUI

/// The dashboard's whole state: the session shared by all screens, and the screens.
///
/// `update` changes it, `view` draws it; both are pure. The model leaves to screens what they can decide, and only
/// routes.
package struct Model: Sendable {
  @Boxed package var session: Session
  var screens: [any Screen]
  /// For each tab the place of its screen that is in front: screens of one title share a tab.
  private var fronts: [Int]
  /// The available actions of each screen.
  let tables: [ActionTable]
  /// The linear reader, used without a screen.
  package var linear: LinearReader?
  /// The hosts that the feed was told to go on with.
  var feedScope = HostScope.all
  /// True if the user has quit in a way that leaves a receipt.
  var wantsReceipt = false

  /// - Parameters:
  ///   - now: the wall clock.
  ///   - screens: the available screens, in the order of their keys.
  package init(
    size: Size, now: Timestamp, theme: Theme = Theme(), zone: ClockZone = .local,
    feed: FeedSnapshot = .unread, limits: LimitSet = LimitSet(), notes: HistoryNotes = HistoryNotes(),
    scenarios: [EngineKind: [ScenarioTitle]] = [:], keys: KeyMap = KeyMap(),
    screens: [any Screen]
  ) {
    let titles = ScreenTabs.titles(of: screens)
    self.screens = screens
    fronts = titles.compactMap { title in screens.firstIndex { $0.title == title } }
    for place in screens.indices { self.screens[place].place = place }
    tables = ActionTable.tables(of: screens, keys: keys)
    session = Session(
      size: size, theme: theme, zone: zone, now: now, feed: feed, shown: feed,
      tabs: ScreenTabs(titles: titles),
      notes: notes, scenarios: scenarios, limits: limits)
    session.tabs.labels = fronts.map { tables[$0].labels }
    refresh()
  }

  // MARK: The screens

  /// The place of the shown screen in the list.
  var shownPlace: Int { fronts[session.tabs.selection] }

  /// The shown screen's name, as on the command line.
  package var screen: String { front.title.name }

  /// The shown screen with the session, for queries.
  var front: any Screen { screen(at: shownPlace) }

  /// A screen with the session, for queries.
  func screen(at place: Int) -> any Screen {
    var screen = screens[place]
    screen.lentSession = $session
    return screen
  }

  /// The screen of a type with the session, for queries; `nil` if it is not in the list.
  package func screen<Wanted: Screen>(_ type: Wanted.Type) -> Wanted? {
    screens.firstIndex { $0 is Wanted }.flatMap { screen(at: $0) as? Wanted }
  }

  /// A spoken description of the shown screen's active pane.
  var spokenDescription: String { SpokenText.words(of: front.description) }

  var asksHistory: Bool { screens[shownPlace].asksHistory }

  var table: ActionTable { tables[shownPlace] }

  /// Lends the session to a screen for the duration of `work`.
  mutating func lend<Result>(to place: Int, _ work: (inout any Screen) -> Result) -> Result {
    screens[place].swapSession(with: &_session)
    defer { screens[place].swapSession(with: &_session) }
    return work(&screens[place])
  }

  /// Performs an action of a screen, then routes its requests.
  mutating func perform(_ action: Int, on place: Int) -> [Effect] {
    lend(to: place) { $0.perform(action: action) } + route()
  }

  /// Sends a message to the shown screen, then routes its requests.
  mutating func tell(_ message: ScreenMessage) -> [Effect] { tell(shownPlace, message) + route() }

  /// Sends a message to one screen, shown or not.
  mutating func tell(_ place: Int, _ message: ScreenMessage) -> [Effect] {
    guard screens.indices.contains(place) else { return [] }
    return lend(to: place) { $0.handle(message) }
  }

  /// Sends a message to every screen.
  mutating func tellAll(_ message: (_ isShown: Bool) -> ScreenMessage) -> [Effect] {
    screens.indices.flatMap { tell($0, message($0 == shownPlace)) }
  }

  // MARK: Showing

  /// Shows the screen with this name on the command line.
  @discardableResult
  package mutating func show(_ name: String) -> [Effect] {
    session.tabs.titles.firstIndex { $0.name == name }.map { show(tab: $0) } ?? []
  }

  /// Shows the screen that is in front of a tab.
  mutating func show(tab: Int) -> [Effect] {
    fronts.indices.contains(tab) ? show(place: fronts[tab]) : []
  }

  private func tab(of place: Int) -> Int {
    session.tabs.titles.firstIndex(of: screens[place].title) ?? 0
  }

  /// Tells the screens of a tab something.
  private mutating func tell(tab: Int, _ message: ScreenMessage) -> [Effect] {
    screens.indices.filter { self.tab(of: $0) == tab }.flatMap { tell($0, message) }
  }

  /// The subjects of the screens, the shown one's first.
  private var subjects: [SeriesIdentity] {
    ([shownPlace] + screens.indices.filter { $0 != shownPlace }).flatMap { screen(at: $0).subjects }
  }

  /// Shows the screen with this index.
  mutating func show(place: Int) -> [Effect] {
    guard screens.indices.contains(place) else { return [] }
    let tab = tab(of: place)
    guard tab != session.tabs.selection else {
      if place == shownPlace {
        session.overlay = nil
        if asksHistory { session.history.resume() }
      } else {
        if let own = front.subjects.first { session.subject = own }
        fronts[tab] = place
      }
      return []
    }
    session.overlay = nil
    // Keys that came in one burst may have chosen another row, which the next screen goes by.
    var effects = refresh()
    if let own = front.subjects.first { session.subject = own }
    let subjects = [session.subject].compactMap(\.self) + subjects
    effects += tell(tab: session.tabs.selection, .disappeared)
    (session.tabs.selection, fronts[tab]) = (tab, place)
    if asksHistory { session.history.resume() }
    effects += tell(tab: tab, .appeared(subjects: subjects))
    return effects
  }

  /// Shows the screen for a request, and lets it handle the request.
  @discardableResult
  package mutating func open(_ request: ScreenRequest) -> [Effect] {
    var request = request
    if let asked = request.distributed {
      // The subjects of the other screens follow those of the requesting one.
      let subjects = (asked + subjects).filter(session.hasDistribution)
      guard !subjects.isEmpty else {
        session.showToast("There is no numeric metric")
        return []
      }
      request.distributed = subjects
    }
    let wanted: Int?
    if case .back(let ticket) = request {
      wanted = ticket.screen
    } else {
      wanted = screens.firstIndex { $0.accepts(request) }
    }
    guard let place = wanted, screens.indices.contains(place) else { return [] }
    return show(place: place) + lend(to: place) { $0.open(request) }
  }

  /// Applies a command line's arrangement to the shown screen.
  mutating func arrange(_ arrangement: Arrangement) { lend(to: shownPlace) { $0.arrange(arrangement) } }

  mutating func route() -> [Effect] {
    guard let request = session.request else { return [] }
    session.request = nil
    return open(request)
  }

  // MARK: Refreshing

  /// Updates everything shown from store, clock, size and the user's choices.
  @discardableResult
  mutating func refresh() -> [Effect] {
    let before = shownPlace
    session.refresh(scansPast: screens[shownPlace].scansPast)
    var effects = session.noteExcesses() + tell(.refresh)
    // A screen without anything to show may have given way to another one.
    if shownPlace != before { effects += tell(shownPlace, .refresh) }
    session.refreshRail(isHistoryAsked: asksHistory, moment: front.mark.time)
    return effects
  }
}
