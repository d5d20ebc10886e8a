import Aggregation
package import Codecs
package import Platform
package import TerminalUI

/// All that the dashboard depends on: the session that all screens share, and the screens.
///
/// `update` changes it, `view` draws it; both are pure. The model itself decides nothing that a screen can decide: it
/// routes.
package struct Model: Sendable {
  @Boxed package var session: Session
  var rooms: [any AnyRoom]
  /// The available actions of each screen.
  let tables: [ActionTable]
  /// The reader that speaks where there is no screen.
  package var linear: LinearReader?
  /// True if the person left in a way that wants a receipt.
  var wantsReceipt = false

  /// - Parameters:
  ///   - now: the wall clock.
  ///   - screens: the screens that there are, in the order of their keys.
  package init(
    size: Size, now: Timestamp, theme: Theme = Theme(), zone: ClockZone = .local,
    feed: FeedSnapshot = .unread, limits: LimitSet = LimitSet(), notes: HistoryNotes = HistoryNotes(),
    scenarios: [EngineKind: [ScenarioTitle]] = [:], keys: KeyMap = KeyMap(),
    screens: [any Screen.Type] = ScreenList.all
  ) {
    rooms = screens.enumerated().map { Self.room($1, place: $0) }
    let titles = rooms.map(\.title)
    tables = rooms.enumerated().map {
      ActionTable(own: $1.actions, of: $0, shared: SharedAction.shared(screens: titles), keys: keys)
    }
    session = Session(
      size: size, theme: theme, zone: zone, now: now, feed: feed, shown: feed,
      tabs: ScreenTabs(titles: titles),
      notes: notes, scenarios: scenarios, limits: limits)
    session.tabs.labels = tables.map(\.labels)
    refresh()
  }

  static func room<Owner: Screen>(_ screen: Owner.Type, place: Int) -> any AnyRoom {
    Room<Owner>(place: place)
  }

  // MARK: The screens

  /// The place of the shown screen in the list.
  var shownPlace: Int { session.tabs.selection }

  /// The shown screen's name, as on the command line.
  package var screen: String { session.tabs.titles[shownPlace].name }

  /// The shown screen's answers to the root's questions.
  var facts: any ScreenFacts { rooms[shownPlace].facts(in: $session) }

  var asksHistory: Bool { rooms[shownPlace].asksHistory }

  var table: ActionTable { tables[shownPlace] }

  /// A screen's state; setting it is for tests.
  package subscript<Owner: Screen>(_ screen: Owner.Type) -> Owner.State {
    get { room(Owner.self)?.state ?? Owner.initialState }
    set {
      guard let place = place(of: Owner.self), var room = rooms[place] as? Room<Owner> else { return }
      room.state = newValue
      rooms[place] = room
    }
  }

  /// A screen's state beside the session.
  package func screenModel<Owner: Screen>(_ screen: Owner.Type) -> ScreenModel<Owner> {
    (room(Owner.self) ?? Room(place: 0)).model(in: $session)
  }

  private func place<Owner: Screen>(of screen: Owner.Type) -> Int? { rooms.firstIndex { $0 is Room<Owner> } }

  private func room<Owner: Screen>(_ screen: Owner.Type) -> Room<Owner>? {
    rooms.lazy.compactMap { $0 as? Room<Owner> }.first
  }

  /// Why an action of a screen cannot be done now; `nil` when it can.
  func refusal(of action: Int, on place: Int) -> String? { rooms[place].refusal(of: action, in: $session) }

  /// Does an action of a screen; then routes what the screen wants to have shown.
  mutating func perform(_ action: Int, on place: Int) -> [Effect] {
    rooms[place].perform(action, on: &_session) + route()
  }

  /// Tells the shown screen something; then routes what it wants to have shown.
  mutating func tell(_ message: ScreenMessage) -> [Effect] {
    rooms[shownPlace].reduce(&_session, message) + route()
  }

  /// Tells one screen something, shown or not.
  mutating func tell(_ place: Int, _ message: ScreenMessage) -> [Effect] {
    guard rooms.indices.contains(place) else { return [] }
    return rooms[place].reduce(&_session, message)
  }

  /// Gives a screen back what it kept from the file's last opening.
  mutating func restore(_ place: Int, _ kept: [String: String]) { rooms[place].restore(&_session, kept) }

  /// Takes back one step of what narrows the shown screen.
  ///
  /// - Returns: Whether there was one.
  mutating func stepBackOnScreen() -> Bool { rooms[shownPlace].stepBack(&_session) }

  /// Tells every screen something.
  mutating func tellAll(_ message: (_ isShown: Bool) -> ScreenMessage) -> [Effect] {
    rooms.indices.flatMap { rooms[$0].reduce(&_session, message($0 == shownPlace)) }
  }

  // MARK: Showing

  /// Shows the screen of a name, as on the command line.
  @discardableResult
  package mutating func show(_ name: String) -> [Effect] {
    session.tabs.titles.firstIndex { $0.name == name }.map { show(place: $0) } ?? []
  }

  /// Subjects of the screens, the shown one's first.
  private var subjects: [SeriesIdentity] {
    ([shownPlace] + rooms.indices.filter { $0 != shownPlace }).flatMap {
      rooms[$0].facts(in: $session).subjects
    }
  }

  /// Shows the screen of a place in the list.
  mutating func show(place: Int) -> [Effect] {
    guard rooms.indices.contains(place) else { return [] }
    let before = shownPlace
    session.overlay = nil
    guard place != before else {
      if asksHistory { session.history.resume() }
      return []
    }
    // Keys that came in one burst may have chosen another row, which the next screen goes by.
    var effects = refresh()
    if let own = rooms[before].facts(in: $session).subjects.first { session.subject = own }
    let subjects = [session.subject].compactMap(\.self) + subjects
    effects += rooms[before].reduce(&_session, .disappeared)
    session.tabs.selection = place
    if asksHistory { session.history.resume() }
    effects += rooms[place].reduce(&_session, .appeared(subjects: subjects))
    return effects
  }

  /// Shows the screen that a request is for, and lets it answer.
  @discardableResult
  package mutating func open(_ request: ScreenRequest) -> [Effect] {
    var request = request
    if let asked = request.distributed {
      // The subjects of the other screens come after those of the asking one.
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
      wanted = rooms.firstIndex { $0.accepts(request) }
    }
    guard let place = wanted, rooms.indices.contains(place) else { return [] }
    return show(place: place) + rooms[place].open(&_session, request)
  }

  /// Lets the shown screen be as a command line wants it.
  mutating func arrange(_ arrangement: Arrangement) { rooms[shownPlace].arrange(&_session, arrangement) }

  mutating func route() -> [Effect] {
    guard let request = session.request else { return [] }
    session.request = nil
    return open(request)
  }

  // MARK: Refreshing

  /// Brings everything that is shown up to date with store, clock, size and what the person chose.
  @discardableResult
  mutating func refresh() -> [Effect] {
    session.refresh(scansPast: rooms[shownPlace].scansPast)
    let effects = session.noteExcesses() + rooms[shownPlace].reduce(&_session, .refresh)
    session.refreshRail(isHistoryAsked: asksHistory, moment: facts.mark.time)
    return effects
  }
}
