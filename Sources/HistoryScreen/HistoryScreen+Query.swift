import Aggregation
import DashboardCore
import History
import Platform
import TerminalUI

// Queries to the history.
extension HistoryScreen {
  /// Number of rows beyond the visible ones, so that scrolling by a few needs no query.
  static let pageMargin = 40
}

extension HistoryScreen {
  /// The screen's query for the history.
  var screenQuery: HistoryQuery {
    let layout = layout
    let wantsDetail = state.focus != nil && (!layout[.detail].isEmpty || session.overlay == .rawLine)
    var query = HistoryQuery(
      window: state.window, focus: state.focus, narrowed: state.narrowed,
      columns: layout.chartColumns,
      playhead: session.present, page: pageQuery(layout), wantsDetail: wantsDetail)
    if !wantsDetail, cursor.anchor != .playhead { query.playhead = query.window.upperBound }
    query.selection = selectedRange
    if !layout[.chart].isEmpty { query.pins = session.pins.filter { $0 != state.focus } }
    query.filter = state.sampleFilter
    if !wantsDetail, let page = reusablePage(for: query) { query.page = page }
    return query
  }

  private func pageQuery(_ layout: HistoryLayout) -> HistoryPageQuery {
    let reach = layout.tableRows + HistoryScreen.pageMargin
    return HistoryPageQuery(order: order, anchor: cursor.anchor, before: reach, after: reach)
  }

  /// The last requested page, while it holds the visible rows with room on both sides.
  private func reusablePage(for query: HistoryQuery) -> HistoryPageQuery? {
    let history = session.history
    guard let asked = history.asked, let answer = history.answer, let index = selectedSample,
      answer.query == asked, history.isCurrent, asked.window == query.window, asked.focus == query.focus,
      asked.narrowed == query.narrowed, asked.page.order == query.page.order,
      asked.page.before == query.page.before, asked.filter == query.filter
    else { return nil }
    let page = answer.page
    let room = layout.tableRows
    let isFarFromTop = page.first == 0 || index >= room
    let isFarFromEnd = page.first + page.rows.count >= page.total || page.rows.count - index > room
    return isFarFromTop && isFarFromEnd ? asked.page : nil
  }
}
