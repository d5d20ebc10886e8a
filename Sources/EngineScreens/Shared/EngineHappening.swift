import DashboardCore
package import Platform

/// One line of the timeline of an engine.
package struct EngineHappening<Entry: Sendable & Equatable>: Sendable, Equatable {
  package let time: Timestamp
  /// Its number among all, in the order of the record.
  package let number: Int
  package internal(set) var entry: Entry
  /// True if something went wrong with it.
  package internal(set) var isFailure: Bool
  /// The time of the last entry that tells what came of it.
  package internal(set) var settled: Timestamp
}

/// The latest that happened to an engine, oldest first.
package struct EngineTimeline<Entry: Sendable & Equatable>: Sendable, Equatable {
  /// Maximum length; what is older is in the file.
  private static var limit: Int { 500 }

  package private(set) var list: [EngineHappening<Entry>] = []
  /// How many there were ever.
  package private(set) var count = 0

  package init() {}

  /// - Returns: The number of the entry.
  @discardableResult
  mutating func add(_ entry: Entry, at time: Timestamp, isFailure: Bool) -> Int {
    count += 1
    list.append(
      EngineHappening(time: time, number: count, entry: entry, isFailure: isFailure, settled: time))
    // In pieces, so that a long record does not move the whole list for every entry.
    if list.count > 2 * Self.limit { list.removeFirst(list.count - Self.limit) }
    return count
  }

  /// Changes an entry of which more has become known, if it is still there.
  mutating func change(_ number: Int, _ body: (inout EngineHappening<Entry>) -> Void) {
    let place = list.count - 1 - (count - number)
    if list.indices.contains(place) { body(&list[place]) }
  }
}

/// The timeline state kept by the screen of an engine: which entries are listed, and which is selected.
package struct TimelineCursor<Entry: Sendable & Equatable>: Sendable {
  /// The inputs the listed entries are computed from.
  struct ListKey: Hashable, Sendable {
    let shown: EngineKey?
    let filter: RowFilter
  }

  /// The number of the selected entry; `nil` for the newest.
  package internal(set) var selection: Int?
  /// True if the selected entry is the one that the playhead was moved to.
  var followsPlayhead = false
  /// True if all about the selected entry is shown.
  package internal(set) var isOpen = false
  /// The words that the entries must hold.
  var filter = RowFilter()
  /// The entries that the filter lets through, oldest first.
  var list = Derived<ListKey, [EngineHappening<Entry>]>([])
}

/// The inputs the shown engine is computed from.
struct EngineKey: Hashable, Sendable {
  let extent: RecordExtent
  let branch: Int
  /// `nil` for the end of the record.
  let moment: Timestamp?
}

/// One fact about an entry of a timeline.
struct EngineFact: Hashable {
  let name: String
  let value: String
}
