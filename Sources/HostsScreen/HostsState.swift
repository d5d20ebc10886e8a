package import Aggregation
package import DashboardCore
package import History
package import Platform

/// The user's changes to the Hosts screen, and the state derived from them and from the answers.
package struct HostsState: Sendable {
  /// The metric that the hosts are compared by; `nil` until one is known.
  package internal(set) var focus: SeriesIdentity?
  /// The name of the metric to compare by as soon as it is known.
  var wantedFocus: String?
  /// The requested name that no metric has.
  var unknownFocus: String?
  /// The visible time range.
  package internal(set) var window = Timestamp(0)..<Timestamp(1)
  package internal(set) var rowFilter = RowFilter()
  /// The name of the selected host.
  package internal(set) var selection: String?
  /// The first visible row.
  var offset = 0
  /// The rows that pass the filter, in the order of the screen.
  package internal(set) var rows: [ListedHost] = []
  /// The newest comparison, and the metric that it is about; it stays while other screens ask about something else.
  var known: (focus: SeriesIdentity?, hosts: HostsAnswer)?
  /// Tells silent hosts from the others.
  package internal(set) var silence = HostSilence()

  package init() {}

  /// The index of the selected row.
  var selectedIndex: Int? { rows.firstIndex { $0.row.name == selection } }
}

/// A host and its place in the answer.
package struct ListedHost: Sendable, Equatable {
  package let row: HostRow
  /// Its rank among all hosts, from 0.
  package let place: Int
}

/// Tells silent hosts from the others: while some go on, those without a sample for 30 seconds are silent.
package struct HostSilence: Sendable, Equatable {
  /// Seconds without a sample.
  package static let least = 30.0

  private var now = Timestamp.distantPast
  /// True if some host goes on.
  private var goesOn = false
  /// When the next host becomes silent, or the age of a silent one grows by a second.
  package private(set) var deadline: Timestamp?

  /// No host is silent.
  package init() {}

  package init(of rows: [HostRow], now: Timestamp) {
    self.now = now
    let since = now - Self.least
    // A clock far ahead tells nothing about the others.
    let going = rows.compactMap(\.lastTime).filter { $0 > since && $0 <= now + Session.tolerance }
    goesOn = !going.isEmpty
    guard let first = going.min() else { return }
    let next = first + Self.least
    deadline = going.count < rows.count ? min(next, now + 1) : next
  }

  /// The seconds since the last sample of a silent host; `nil` if it is not silent.
  package func age(of row: HostRow) -> Double? {
    guard goesOn, let last = row.lastTime, now - last >= Self.least else { return nil }
    return now - last
  }
}
