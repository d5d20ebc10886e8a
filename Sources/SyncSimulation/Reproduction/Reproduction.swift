import Essentials
package import SimulationKit
import Sync

/// A part of an engine's record as a scenario that plays to the same decisions.
///
/// Recorded answers become acts that say how calls are answered, what was queued becomes changes by their ids, and what
/// the waits have drawn is written down.
package typealias Reproduction = RecordReproduction<SyncWorld>

extension RecordReproduction<SyncWorld> {
  /// How far calls may take another time than recorded, in seconds, the first that does being taken.
  private static var tolerances: [Double] { [0.05, 0.005, 0.0005] }

  /// A reproduction of what was recorded in a window.
  ///
  /// It may begin earlier: where the engine last was at rest, with nothing waiting.
  ///
  /// - Parameters:
  ///   - entries: The entries of one engine's record, in order.
  ///   - end: The end of the window, in seconds since 2001.
  ///   - window: How long it is, in seconds.
  ///   - name: What the scenario is called.
  /// - Throws: ``Failure``.
  package init(of entries: [RecordedEntry], until end: Double, window: Double, name: String) throws(Failure) {
    // A window that ends behind the record is one of its end.
    let end = min(end, entries.last?.time ?? end)
    let part = RecordedPart(of: entries, until: end, window: window)
    let course = RecordedCourse(part.entries)
    try self.init(
      of: course.decisions.map { ($0.time, $0.transition.decision) },
      assumptions: part.assumptions + course.assumptions,
      trying: Self.tolerances.lazy.map { tolerance in
        ReproducedScenario(course, part, tolerance: tolerance).scenario(name: name, until: end)
      },
      makeReader: { { RecordedEntry($0)?.transition?.decision } })
  }
}

/// The part of a record that is reproduced.
struct RecordedPart {
  /// The entries.
  let entries: ArraySlice<RecordedEntry>
  /// The constants in force at its beginning.
  let configuration: SyncConfiguration?
  /// From when on the window goes, in seconds since 2001.
  let from: Double
  /// Assumptions about its beginning.
  let assumptions: [String]

  init(of entries: [RecordedEntry], until end: Double, window: Double) {
    from = end - window
    let last = entries.firstIndex { $0.time > end } ?? entries.endIndex
    var start = entries.startIndex
    var (waiting, isLimited, isResting, floor) = (Set<String>(), false, true, Double?.none)
    var configuration: SyncConfiguration?
    var known: SyncConfiguration?
    for place in entries.indices[..<last] {
      let entry = entries[place]
      let isBeginning = entry.transition.map { $0.event == "syncRequested" && !$0.refused } ?? false
      let isQuiet = waiting.isEmpty && !isLimited && isResting && floor == nil
      if place > 0, entry.time <= end - window, isQuiet, isBeginning {
        (start, known) = (place, configuration)
      }
      switch entry.value {
      case .transition(let transition):
        isResting = transition.phase == nil && transition.to == SyncState.Kind.idle.rawValue
        floor = transition.floor
      case .breaker(let breaker): isLimited = breaker.consecutive > 0 || breaker.state != "closed"
      case .mutation(let mutation):
        if [.queued, .sent].contains(mutation.state) {
          waiting.insert(mutation.id)
        } else {
          waiting.remove(mutation.id)
        }
      case .configuration(let new): configuration = new
      case .conflict: break
      }
    }
    self.configuration = known
    self.entries = entries[start..<last]
    let first = self.entries.lazy.compactMap(\.transition).first
    var words: [String] = []
    if let first, first.sequence > 1, start == entries.startIndex {
      words.append("the record begins at decision \(first.sequence); the engine is taken to be at rest there")
      if first.pending > 0 { words.append("\(first.pending) changes waited that the record does not name") }
    }
    assumptions = words
  }
}
