package import History
import JSONLines

/// What `export` is to write.
package struct ExportRequest: Sendable, Equatable {
  /// Files; `-` for standard input.
  package var paths: [String]
  package var format = ExportFormat.csv
  /// From this time on and up to that one with it, in seconds since 2001.
  package var since = -Double.infinity
  package var until = Double.infinity
  /// Only metrics of this bucket; the empty text means those without one.
  package var bucket: String?
  /// Only metrics of this name.
  package var metric: String?
  /// Where it goes; `nil` for standard output.
  package var output: String?
  /// Whether a file that is there already is replaced.
  package var replaces = false
  /// Where the indexes of files are kept; `nil` to use none.
  package var indexFolder: String?

  package init(paths: [String]) {
    self.paths = paths
  }

  /// All times that are wanted.
  var window: Range<Double> { since..<max(since, until.nextUp) }

  var filter: ExportStream.Filter {
    ExportStream.Filter(since: since, until: until) { [bucket, metric] identity in
      (bucket == nil || bucket == identity.bucket ?? "") && (metric == nil || metric == identity.name)
    }
  }
}
