package import Platform

/// The hosts, compared by the focus of the query; the scope of the query does not narrow it.
package struct HostsAnswer: Sendable, Equatable {
  /// Number of hosts with a sample of any series at any time.
  package var total = 0
  /// The fleet's 95th percentile in the window: the ``FleetBound`` of all its numbers; `nil` without numbers.
  package var bound: Double?
  /// Number of the fleet's numbers in the window.
  package var count = 0
  /// The chart of all hosts together, over the steps of ``HistoryAnswer/chart``.
  package var chart = HistoryChart()
  /// The hosts, oddest first: by descending share, then by name; then those without numbers in the window, and
  /// the silent ones last, both by descending last time.
  package var rows: [HostRow] = []

  /// The share of a host's numbers above the bound if it is like all others.
  package static let usualShare = 0.05

  package init() {}
}

/// One host among all.
package struct HostRow: Sendable, Equatable {
  /// The name as recorded; it may contain control characters.
  package let name: String
  /// Number of numbers in the window.
  package var count = 0
  /// The share of them above ``HostsAnswer/bound``; `nil` without numbers.
  package var share: Double?
  /// The share that it would have if all of the fleet's largest numbers were its own; `nil` without numbers.
  package var mostShare: Double?
  /// Percentiles of the numbers; `nil` without numbers.
  package var p50: Double?
  package var p95: Double?
  /// Time of the last sample of any series, in or outside the window; `nil` without samples.
  package var lastTime: Timestamp?
  /// The host's columns, as many as ``HostsAnswer/chart`` has; empty if not wanted.
  ///
  /// A column without numbers is `nil`.
  package var cells: [HostCell?] = []

  package init(name: String) { self.name = name }
}

/// One host in one column of the chart.
package struct HostCell: Sendable, Equatable {
  /// Number of numbers; bools count as 0 and 1.
  package var count: Int
  package var mean: Double
  package var p95: Double

  package init(count: Int, mean: Double, p95: Double) {
    (self.count, self.mean, self.p95) = (count, mean, p95)
  }
}
