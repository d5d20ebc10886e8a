import Essentials
package import SimulationKit
import Sync

/// A part of an engine's record as a scenario that leads to the same decisions.
///
/// Recorded answers become acts that set the answers to calls, queued changes become changes with the same ids, and
/// the random draws behind the waits are listed.
package typealias Reproduction = RecordReproduction<SyncWorld>

extension RecordReproduction<SyncWorld> {
  /// Deviations allowed for call durations in seconds, tried in order.
  private static var tolerances: [Double] { [0.05, 0.005, 0.0005] }

  /// Reproduces the part of a record in a window.
  ///
  /// It may start earlier, at a moment when the engine was idle with nothing waiting.
  ///
  /// - Parameters:
  ///   - entries: The entries of one engine's record, in order.
  ///   - end: End of the window, in seconds since 2001.
  ///   - window: Length of the window in seconds.
  ///   - name: The name of the scenario.
  /// - Throws: ``Failure``.
  package init(of entries: [RecordedEntry], until end: Double, window: Double, name: String) throws(Failure) {
    // A window that ends after the record ends with it.
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
  /// The constants at its start.
  let configuration: SyncConfiguration?
  /// Start of the window, in seconds since 2001.
  let from: Double
  /// Assumptions about its start.
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
      words.append("the record begins at decision \(first.sequence); assumed: the engine was at rest there")
      if first.pending > 0 { words.append("\(first.pending) changes waited that the record does not name") }
    }
    assumptions = words
  }
}
