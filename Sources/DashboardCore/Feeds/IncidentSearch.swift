package import Aggregation
package import History
package import Platform

/// Searches files for incidents step by step, so that questions are still answered.
///
/// Confined to one thread.
package final class IncidentSearch {
  /// Seconds between two reports during long searches.
  private static let reportInterval = 0.5

  private let newest: UInt64
  private var sensitivity: DetectionBudget.Sensitivity
  private var reader: IncidentReader
  private var reported: FoundIncidents?
  private var reportedAt = MonotonicInstant.distantPast
  /// True if all known data of the files has been searched.
  package private(set) var isDone = true

  /// - Parameters:
  ///   - newest: Bytes of all files together that are read at most, the newest of each file and its rotated files.
  ///   - sensitivity: The number of false lines allowed.
  package init(newest: UInt64 = .max, sensitivity: DetectionBudget.Sensitivity = .normal) {
    (self.newest, self.sensitivity) = (newest, sensitivity)
    reader = IncidentReader(newest: newest, sensitivity: sensitivity, \.incidentSubjects)
  }

  /// Searches data not yet searched, or all data if the sensitivity changes.
  package func resume(sensitivity: DetectionBudget.Sensitivity) {
    if sensitivity != self.sensitivity {
      self.sensitivity = sensitivity
      reader = IncidentReader(newest: newest, sensitivity: sensitivity, \.incidentSubjects)
    }
    isDone = false
  }

  /// Continues the search.
  ///
  /// - Parameter clock: The current time, by which samples count as ahead of the clock.
  /// - Returns: the incidents found, if there is something new to report.
  package func goOn(in files: [HistoryFile], at clock: Timestamp) -> FoundIncidents? {
    let now = MonotonicInstant.now()
    do {
      isDone = try !reader.advance(files, until: clock + Session.tolerance)
    } catch {
      // Unreadable files are searched again once they have grown; the feed reports the problem.
      isDone = true
    }
    guard isDone || now - reportedAt >= Self.reportInterval else { return nil }
    var found = FoundIncidents(reader.entries, isWhole: isDone)
    found.pauses = reader.pauses
    (found.watch, found.sensitivity) = (reader.watch, sensitivity)
    guard found != reported else { return nil }
    (reported, reportedAt) = (found, now)
    return found
  }
}
