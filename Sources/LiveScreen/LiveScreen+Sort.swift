import Aggregation
import Codecs
import DashboardCore
import Platform

// The order of the rows.
extension LiveScreen {
  mutating func sortNext() {
    let keys = SortKey.allCases
    let index = keys.firstIndex(of: state.sort) ?? 0
    state.sort = keys[(index + 1) % keys.count]
    state.isInverted = false
    sortOnce()
  }

  /// Sorts by a column, or inverts the order if it is the sort column already.
  mutating func sort(by key: SortKey) {
    if state.sort == key { invertSort() } else { sortAnew(by: key) }
  }

  /// Sorts by a column in descending order, whatever the previous order.
  mutating func sortAnew(by key: SortKey) {
    (state.sort, state.isInverted) = (key, false)
    sortOnce()
  }

  /// Applies the stored sort order.
  mutating func sortKept() {
    guard state.mustSort else { return }
    state.mustSort = false
    sortOnce()
  }

  mutating func invertSort() {
    state.isInverted.toggle()
    sortOnce()
  }

  /// Sorts once by the current values of the chosen column; the order stays until the next sort.
  private mutating func sortOnce() {
    if state.sort == .unusual, state.isInverted { state.isInverted = false }
    let identities = session.store.allSeries.compactMap { id in
      session.store.identity(of: id).map { ($0, id) }
    }
    if state.sort == .unusual {
      orderByUnusual()
      return
    }
    guard state.sort != .name || state.isInverted else { return state.ranks = [:] }
    let ordered: [SeriesIdentity]
    if state.sort == .name {
      ordered = LiveListing(session.store, form: .list).entries.reversed().map(\.identity)
    } else {
      let values = identities.map { ($0.0, sortValue($0.1)) }
      let sign = state.isInverted ? 1.0 : -1.0
      ordered = values.sorted { a, b in
        guard let left = a.1 else { return false }
        guard let right = b.1 else { return true }
        return left != right ? sign * left < sign * right : a.0.fullName < b.0.fullName
      }.map(\.0)
    }
    state.ranks = Dictionary(uniqueKeysWithValues: ordered.enumerated().map { ($1, $0) })
  }

  /// The figure of a series used for sorting, with times in milliseconds.
  private func sortValue(_ id: SeriesID) -> Double? {
    let figure = sortFigure(id)
    guard let identity = session.store.identity(of: id), session.unit(of: identity) == .seconds,
      state.sort != .n, state.sort != .change
    else { return figure }
    return figure.map { $0 * 1000 }
  }

  private func sortFigure(_ id: SeriesID) -> Double? {
    let (from, to) = (session.edge - session.window, session.edge)
    let summary = session.store.summary(of: id, from: from, to: to, percentiles: [50, 95])
    switch state.sort {
    case .unusual, .name: return nil
    case .n: return summary.count > 0 ? Double(summary.count) : nil
    case .now: return summary.last ?? summary.shareOfTrue
    case .p50: return summary.quantiles.first?.value ?? summary.shareOfTrue
    case .p95: return summary.quantiles.last?.value ?? summary.shareOfTrue
    case .change:
      let present = session.present
      let hour = session.store.summary(
        of: id, from: present - Session.reach, to: present, percentiles: [95])
      guard let p95 = summary.quantiles.last?.value, let base = hour.quantiles.last?.value, base > 0 else {
        return nil
      }
      return p95 / base
    }
  }
}
