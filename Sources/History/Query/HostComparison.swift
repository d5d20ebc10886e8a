package import Aggregation
package import Platform

/// Compares hosts by their sums in a window: the rows of a ``HostsAnswer`` without its chart and cells.
package struct HostComparison: Sendable {
  /// One host's numbers in the window.
  package struct Host: Sendable {
    package var name: String
    package var cell: IndexCell
    /// Time of the last sample of any series at any time.
    package var lastTime: Timestamp?
    /// The numbers as coarse bins, for a host whose cell is unknown.
    package var bins: [HistogramBin]?

    package init(name: String, cell: IndexCell = IndexCell(), lastTime: Timestamp? = nil) {
      (self.name, self.cell, self.lastTime) = (name, cell, lastTime)
    }

    var count: Int { bins?.reduce(0) { $0 &+ $1.count } ?? cell.valueCount }
    var valueBins: [HistogramBin] { bins ?? cell.valueBins }
  }

  /// Maximum number of bins of all hosts together; their own are at least as fine.
  private static let fleetBins = 1024

  private let focus: SeriesIdentity?
  private let knownBound: FleetBound?
  private let hosts: [Host]

  /// - Parameter bound: The fleet's bound; by default that of the hosts' cells.
  package init(of hosts: [Host], by focus: SeriesIdentity?, bound: FleetBound? = nil) {
    (self.hosts, self.focus, knownBound) = (hosts, focus, bound)
  }

  /// The hosts in order, with the fleet's bound.
  package func answer(_ query: HostsQuery) -> HostsAnswer {
    var answer = HostsAnswer()
    answer.total = hosts.count
    let bound = knownBound ?? FleetBound(fleet)
    answer.bound = bound?.value
    answer.count = hosts.reduce(0) { $0 &+ $1.count }
    let rows = hosts.map { row(of: $0, bound, of: answer.count) }
    // If no host goes on, the recording has ended, and none is silent.
    let goesOn = rows.contains { !$0.isSilent(before: query.silentBefore) }
    let silentBefore = goesOn ? query.silentBefore : nil
    answer.rows = Array(rows.sorted { Self.isBefore($0, $1, silentBefore) }.prefix(max(0, query.limit)))
    return answer
  }

  private var fleet: [HistogramBin] {
    let sketches = hosts.map(\.cell.sketch).filter { !$0.bins.isEmpty }
    guard sketches.isEmpty else {
      return SketchHistogram.merging(sketches, limit: Self.fleetBins).intervals
    }
    var bools = IndexCell()
    for host in hosts {
      bools.falses &+= host.cell.falses
      bools.trues &+= host.cell.trues
    }
    return bools.valueBins
  }

  private func row(of host: Host, _ bound: FleetBound?, of total: Int) -> HostRow {
    var row = HostRow(name: host.name)
    (row.count, row.lastTime) = (host.count, host.lastTime)
    row.share = bound?.share(of: host.valueBins)
    if row.count > 0 { row.mostShare = min(1, HostsAnswer.usualShare * Double(total) / Double(row.count)) }
    let quantiles = host.cell.quantiles([50, 95], of: focus).map(\.value)
    (row.p50, row.p95) = (quantiles.first, quantiles.last)
    return row
  }

  private static func isBefore(_ left: HostRow, _ right: HostRow, _ silentBefore: Timestamp?) -> Bool {
    let isSilent = (left.isSilent(before: silentBefore), right.isSilent(before: silentBefore))
    if isSilent.0 != isSilent.1 { return isSilent.1 }
    if !isSilent.0, left.share != right.share { return (left.share ?? -1) > (right.share ?? -1) }
    let times = (left.lastTime ?? .distantPast, right.lastTime ?? .distantPast)
    if isSilent.0 || left.share == nil, times.0 != times.1 { return times.0 > times.1 }
    return left.name < right.name
  }
}

extension HostRow {
  /// True if the host has been silent since a moment.
  package func isSilent(before moment: Timestamp?) -> Bool {
    guard let moment else { return false }
    return lastTime.map { $0 < moment } ?? true
  }
}

extension IndexCell {
  /// Number of numbers; without any, of bools, which count as 0 and 1.
  var valueCount: Int { numbers > 0 ? numbers : trues &+ falses }

  /// The same values as bins in ascending order.
  var valueBins: [HistogramBin] {
    guard numbers == 0 else { return sketch.intervals }
    return [(0.0, falses), (1.0, trues)].filter { $0.1 > 0 }.map {
      HistogramBin(lower: $0.0, upper: $0.0, count: $0.1)
    }
  }
}
