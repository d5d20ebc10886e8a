package import Dashboard
package import TerminalUI

/// What a command line asks for.
package enum Invocation: Sendable {
  /// Print this and end well.
  case text(String)
  case dashboard(paths: [String], Looks)
  case demo(seed: UInt64, Looks)
  /// The dashboard on a simulation of the sync engine that is driven from it.
  case drive(scenario: String, seed: UInt64?, Looks)
  /// Write the sample app's past to a file.
  case demoHistory(seed: UInt64, path: String)
  case snapshot(SnapshotRequest)
  case stats(Stats, paths: [String])
  case export(ExportRequest)
  case tail(TailRequest)
  case record(RecordRequest)
  case optimize(path: String, keep: Retention)
  case doctor(paths: [String])
  case importPayloads(ImportRequest)
  case simulate(SimulateRequest)
  case diagram(Diagram)
  case info
}

/// How the person wants the screen; `nil` leaves it to the terminal.
package struct Looks: Sendable, Equatable {
  package var colors: ColorDepth?
  package var glyphs: GlyphTier?
  /// The most that the 95th percentile of a metric may be, by `bucket.name`, in its own unit.
  package var limits: [String: Double] = [:]
  /// Where the indexes of files are kept; `nil` to keep none.
  package var indexFolder: String?
}

/// What `snapshot` is to print.
package struct SnapshotRequest: Sendable, Equatable {
  package enum Form: Sendable { case text, ansi, svg }
  package enum Screen: String, CaseIterable, Sendable { case live, history, histogram, sync }

  package var paths: [String]
  package var size: Size
  package var form: Form
  package var looks: Looks
  package var screen = Screen.live
  /// Whether the person named it; files of payloads have another screen of their own else.
  package var isScreenChosen = false
  /// The moment that the screen stands on, in seconds since 2001; `nil` for the newest.
  package var moment: Double?
  /// What the history or the histogram is shown of, as `bucket.name`; `nil` for the first one.
  package var metric: String?
  /// What is chosen of the histogram.
  package var histogram = HistogramLook()
  /// How much time the history shows, in seconds; `nil` for all of it.
  package var window: Double?

  package init(paths: [String], size: Size, form: Form, looks: Looks) {
    self.paths = paths
    self.size = size
    self.form = form
    self.looks = looks
  }
}

/// What `record` is to write.
package struct RecordRequest: Sendable, Equatable {
  /// Empty or `-` for a metric without a bucket.
  package var bucket: String
  package var name: String
  package var value: String
  /// `nil` to go by the value.
  package var type: RecordCommand.ValueType?
  package var store: String
}
