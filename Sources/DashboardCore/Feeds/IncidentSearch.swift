import Aggregation
package import History
package import Platform

/// Looks for incidents in files bit by bit, so that questions are answered meanwhile.
///
/// Belongs to one thread.
package final class IncidentSearch {
  /// Seconds between two reports while much is read.
  private static let reportInterval = 0.5

  private let reader: IncidentReader
  private var reported: FoundIncidents?
  private var reportedAt = MonotonicInstant.distantPast
  /// True if all that is known of the files was looked at.
  package internal(set) var isDone = true

  /// - Parameter newest: Bytes of all files together that are read at most, the newest of each file and its rotated files.
  package init(newest: UInt64 = .max) {
    reader = IncidentReader(newest: newest, \.incidentSubjects)
  }

  /// Reads on.
  ///
  /// - Parameter clock: The moment by which samples are ahead of the clock.
  /// - Returns: what was found, where that is worth a word.
  package func goOn(in files: [HistoryFile], at clock: Timestamp) -> FoundIncidents? {
    let now = MonotonicInstant.now()
    do {
      isDone = try !reader.advance(files, until: clock + Session.tolerance)
    } catch {
      // Files that cannot be read now are looked at again when they have grown; the feed tells their problem.
      isDone = true
    }
    guard isDone || now - reportedAt >= Self.reportInterval else { return nil }
    var found = FoundIncidents(reader.entries, isWhole: isDone)
    found.pauses = reader.pauses
    guard found != reported else { return nil }
    (reported, reportedAt) = (found, now)
    return found
  }
}
