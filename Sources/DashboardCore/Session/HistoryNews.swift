package import Aggregation
package import History
package import Platform

/// The report of a history client.
package struct HistoryNews: Sendable {
  /// The newest answer; `nil` while there is none since the last time.
  package var answer: HistoryAnswer?
  /// The work under way that takes long, `nil` without one.
  package var work: HistoryWork?
  /// Grows when files grew or were replaced, so that a new answer would say more.
  package var version = 0
  /// One sentence for the person, such as where an export went or why it failed.
  package var sentence: String?
  /// The incidents of the files; `nil` while they are those that were reported last.
  package var incidents: FoundIncidents?

  package init() {}
}

/// Incidents found in the files, as far as they were read.
package struct FoundIncidents: Sendable, Equatable {
  /// Groups of incidents that began together; by their start.
  package var groups: [IncidentGroup]
  /// Other events, by their time.
  package var annotations: [Annotation]
  /// True if the files were read to their ends.
  package var isWhole: Bool
  /// The longest pause that is usual for each series that comes steadily, in seconds.
  package var pauses: [SeriesIdentity: Double] = [:]

  package init(groups: [IncidentGroup] = [], annotations: [Annotation] = [], isWhole: Bool = false) {
    (self.groups, self.annotations, self.isWhole) = (groups, annotations, isWhole)
  }

  /// - Parameter entries: by their start.
  package init(_ entries: [IncidentLog.Entry], isWhole: Bool) {
    self.init(
      groups: IncidentGroup.groups(of: entries), annotations: Annotation.releases(among: entries),
      isWhole: isWhole)
  }
}

/// Work that takes long.
package struct HistoryWork: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// The first pass over files that have no index.
    case indexing
    /// Looking at every sample of the window, to sort by value.
    case sorting
    /// Collecting the numbers of a histogram.
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
  /// Where it goes; an existing file is never written over.
  package var path: String

  package init(window: Range<Timestamp>, series: [String], format: ExportFormat, path: String) {
    self.window = window
    self.series = series
    self.format = format
    self.path = path
  }
}
