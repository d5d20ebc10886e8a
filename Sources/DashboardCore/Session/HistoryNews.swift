package import Aggregation
package import History
package import Platform

/// The report of a history client.
package struct HistoryNews: Sendable {
  /// The newest answer; `nil` if there is none since the last report.
  package var answer: HistoryAnswer?
  /// Long-running work in progress; `nil` without any.
  package var work: HistoryWork?
  /// Grows when files grow or are replaced, so that a new answer would differ.
  package var version = 0
  /// One sentence for the user, such as where an export went or why it failed.
  package var sentence: String?
  /// The incidents of the files; `nil` if unchanged since the last report.
  package var incidents: FoundIncidents?

  package init() {}
}

/// Incidents found in the part of the files read so far.
package struct FoundIncidents: Sendable, Equatable {
  /// Groups of incidents that began together, sorted by start.
  package var groups: [IncidentGroup]
  /// Other events, sorted by time.
  package var annotations: [Annotation]
  /// True if the files were read to the end.
  package var isWhole: Bool
  /// The longest usual pause of each steady series, in seconds.
  package var pauses: [SeriesIdentity: Double] = [:]
  /// How much is watched, and how small a change would be noticed.
  package var watch = IncidentWatch()
  /// The sensitivity of the search.
  package var sensitivity = DetectionBudget.Sensitivity.normal

  package init(groups: [IncidentGroup] = [], annotations: [Annotation] = [], isWhole: Bool = false) {
    (self.groups, self.annotations, self.isWhole) = (groups, annotations, isWhole)
  }

  /// - Parameter entries: Sorted by start.
  package init(_ entries: [IncidentLog.Entry], isWhole: Bool) {
    self.init(
      groups: IncidentGroup.groups(of: entries), annotations: Annotation.releases(among: entries),
      isWhole: isWhole)
  }
}

/// Long-running work.
package struct HistoryWork: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// The first pass over files without an index.
    case indexing
    /// Examining every sample of the window in order to sort by value.
    case sorting
    /// Collecting the numbers for a histogram.
    case gathering
    case exporting
  }

  package var kind: Kind
  package var progress: FeedProgress

  package init(kind: Kind, progress: FeedProgress) {
    self.kind = kind
    self.progress = progress
  }
}

/// An export to another file.
package struct HistoryExport: Hashable, Sendable {
  package var window: Range<Timestamp>
  /// The series that are written; empty for all of them.
  package var series: [String]
  package var format: ExportFormat
  /// Destination path; an existing file is never overwritten.
  package var path: String
  /// The hosts whose samples are written.
  package var scope = HostScope.all

  package init(window: Range<Timestamp>, series: [String], format: ExportFormat, path: String) {
    self.window = window
    self.series = series
    self.format = format
    self.path = path
  }
}
