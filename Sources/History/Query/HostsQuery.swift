package import Platform

/// The hosts that an answer covers.
package enum HostScope: Hashable, Sendable {
  case all
  /// One host, by its name in ``HostRow/name``.
  case host(String)

  /// The name of the host; `nil` for all hosts.
  package var host: String? { if case .host(let name) = self { name } else { nil } }
}

/// A query that compares the hosts by the focus of its ``HistoryQuery``, in that query's window.
package struct HostsQuery: Hashable, Sendable {
  /// Maximum number of rows in the answer.
  package var limit: Int
  /// The rows whose cells are wanted, by their place in the answer's order.
  package var cells: Range<Int>
  /// Hosts whose last sample is older than this are silent and come last, unless all are; `nil` if none counts as silent.
  package var silentBefore: Timestamp?

  package init(limit: Int, cells: Range<Int>, silentBefore: Timestamp? = nil) {
    (self.limit, self.cells, self.silentBefore) = (limit, cells, silentBefore)
  }
}
