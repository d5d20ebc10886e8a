package import Codecs
package import DashboardCore
package import Platform

/// One line of the timeline of an engine.
package struct EngineHappening<Entry: EngineEntry>: Sendable, Equatable {
  package let time: Timestamp
  /// Its sequence number, in the order of the record.
  package let number: Int
  package internal(set) var entry: Entry
  /// True if it is a failure.
  package internal(set) var isFailure: Bool
  /// The time of the last entry about its outcome.
  package internal(set) var settled: Timestamp
}

/// The latest events of an engine, oldest first.
package struct EngineTimeline<Entry: EngineEntry>: Sendable, Equatable {
  /// Maximum length; older events remain in the file.
  private static var limit: Int { 500 }

  package private(set) var list: [EngineHappening<Entry>] = []
  /// Number of events ever added.
  package private(set) var count = 0

  package init() {}

  /// - Returns: The sequence number of the event.
  @discardableResult
  mutating func add(_ entry: Entry, at time: Timestamp, isFailure: Bool) -> Int {
    count += 1
    list.append(
      EngineHappening(time: time, number: count, entry: entry, isFailure: isFailure, settled: time))
    // Removal in pieces, so that a long record does not move the whole list for every entry.
    if list.count > 2 * Self.limit { list.removeFirst(list.count - Self.limit) }
    return count
  }

  /// Updates an entry as more becomes known, if it is still listed.
  mutating func change(_ number: Int, _ body: (inout EngineHappening<Entry>) -> Void) {
    let place = list.count - 1 - (count - number)
    if list.indices.contains(place) { body(&list[place]) }
  }
}

/// The timeline state of an engine's screen: the listed entries, and the selected one.
package struct TimelineCursor<Entry: EngineEntry>: Sendable {
  /// The inputs of the listed entries.
  struct ListKey: Hashable, Sendable {
    let shown: EngineKey?
    let filter: RowFilter
  }

  /// The number of the selected entry; `nil` for the newest.
  package internal(set) var selection: Int?
  /// True if the selected entry is the one the playhead was moved to.
  var followsPlayhead = false
  /// True if the details of the selected entry are shown.
  package internal(set) var isOpen = false
  /// The words that entries must contain.
  var filter = RowFilter()
  /// The entries that pass the filter, oldest first.
  var list = Derived<ListKey, [EngineHappening<Entry>]>([])
}

/// The inputs of the shown engine.
struct EngineKey: Hashable, Sendable {
  let extent: RecordExtent
  let branch: Int
  /// `nil` for the end of the record.
  let moment: Timestamp?
}

/// One fact about an entry of a timeline.
package struct EngineFact: Hashable {
  let name: String
  let value: String

  /// A list of facts, omitting those without a value.
  static func list(_ facts: KeyValuePairs<String, String?>) -> [EngineFact] {
    facts.compactMap { name, value in value.map { EngineFact(name: name, value: $0) } }
  }
}

/// An entry of a timeline, which can locate its line in the file and has a formatter.
package protocol EngineEntry: Sendable, Equatable {
  associatedtype Formatter: EntryFormatter where Formatter.Entry == Self

  /// The query for its line in the file.
  func lineQuery(at time: Timestamp) -> LineQuery
}

/// Formats the timeline entries of an engine.
package protocol EntryFormatter {
  associatedtype Entry: EngineEntry

  init(zone: ClockZone, arrow: String)
  var zone: ClockZone { get }
  /// The kind of entry.
  func subject(_ entry: Entry) -> String
  /// Descriptions of the event, from the longest to the shortest wording.
  static func wordings(_ happening: EngineHappening<Entry>) -> [String]
  /// The text that filter words are searched in.
  static func searched(_ happening: EngineHappening<Entry>) -> String
  /// A row of the timeline.
  func text(_ happening: EngineHappening<Entry>) -> String
  /// All recorded facts, in order of interest.
  func facts(of happening: EngineHappening<Entry>) -> [EngineFact]
}

extension EntryFormatter {
  package func text(_ happening: EngineHappening<Entry>) -> String { rowText(happening) }

  func rowText(_ happening: EngineHappening<Entry>) -> String {
    "\(zone.time(happening.time, .milliseconds)) \(subject(happening.entry))  \(Self.wordings(happening)[0])"
  }
}
