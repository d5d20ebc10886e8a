package import Codecs
package import DashboardCore
package import Platform

/// One line of the timeline of an engine.
package struct EngineHappening<Entry: EngineEntry>: Sendable, Equatable {
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
package struct EngineTimeline<Entry: EngineEntry>: Sendable, Equatable {
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
package struct TimelineCursor<Entry: EngineEntry>: Sendable {
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
package struct EngineFact: Hashable {
  let name: String
  let value: String

  /// Facts of which those without a value are left out.
  static func list(_ facts: KeyValuePairs<String, String?>) -> [EngineFact] {
    facts.compactMap { name, value in value.map { EngineFact(name: name, value: $0) } }
  }
}

/// An entry of a timeline, which finds its line in the file and its words.
package protocol EngineEntry: Sendable, Equatable {
  associatedtype Formatter: EntryFormatter where Formatter.Entry == Self

  /// How its line is found in the file.
  func lineQuery(at time: Timestamp) -> LineQuery
}

/// The entries of the timeline of an engine as text.
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
  /// Everything that its record tells, in the order in which it is asked for.
  func facts(of happening: EngineHappening<Entry>) -> [EngineFact]
}

extension EntryFormatter {
  package func text(_ happening: EngineHappening<Entry>) -> String { rowText(happening) }

  func rowText(_ happening: EngineHappening<Entry>) -> String {
    "\(zone.time(happening.time, .milliseconds)) \(subject(happening.entry))  \(Self.wordings(happening)[0])"
  }
}
