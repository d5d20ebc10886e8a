import Aggregation
import Codecs
import History
import TerminalUI

// What the History screen shows, brought up to date once a change.
extension Model {
  var historyLayout: HistoryLayout {
    HistoryLayout(size: size, pane: history.pane, isMaximised: history.isMaximised)
  }

  /// From the earliest to the latest sample that is known of, in seconds since 2001.
  var knownRange: ClosedRange<Double>? { wholeRange(with: feed.store) }

  /// From the earliest to the latest sample of a store and of the history.
  func wholeRange(with store: SeriesStore) -> ClosedRange<Double>? {
    guard let live = store.timeRange else { return history.picture?.range }
    guard let whole = history.picture?.range else { return live }
    return min(live.lowerBound, whole.lowerBound)...max(live.upperBound, whole.upperBound)
  }

  /// Takes in what the historian says.
  mutating func take(_ news: HistoryNews) {
    history.isAvailable = true
    history.work = news.work
    history.version = max(history.version, news.version)
    if let sentence = news.sentence { say(sentence) }
    guard let picture = news.picture else { return }
    history.isGivenUp = false
    for note in picture.notes where history.picture?.notes.contains(note) != true { say(note) }
    // Twenty thousand names are not put in order again for every row that somebody scrolls by.
    if history.picture?.series != picture.series { history.seriesNumber += 1 }
    history.picture = picture
    history.pictureNumber += 1
    takeHistogram(picture)
  }

  /// Asks again after the first reading was given up: it then goes on.
  mutating func resumeHistory() {
    guard history.isGivenUp else { return }
    (history.isGivenUp, history.asked) = (false, nil)
  }

  mutating func refreshHistory() {
    guard screen == .history else { return }
    if history.focus == nil || history.wantedFocus != nil { chooseFocus() }
    refreshWindow()
    refreshCursor()
    refreshTree()
    refreshChart()
  }

  /// The series that the Live screen shows, else the first one.
  private mutating func chooseFocus() {
    if let wanted = history.wantedFocus {
      guard let picture = history.picture else { return }
      let fitting = picture.series.filter {
        $0.identity.fullName == wanted || $0.identity.metricName == wanted
      }
      history.wantedFocus = nil
      history.focus = fitting.min { $0.identity.isListed(before: $1.identity) }?.identity
      if history.focus == nil {
        history.unknownFocus = wanted
        say("No metric is called \(wanted)")
      }
    } else if case .series(let identity) = live.selection {
      history.focus = identity
    } else if case .series(let identity) = focusedRow?.id {
      history.focus = identity
    } else {
      history.focus = history.picture?.series.min { $0.identity.isListed(before: $1.identity) }?.identity
    }
    if let focus = history.focus, history.row == nil { history.row = .node(.series(focus)) }
  }

  // MARK: The chart

  private mutating func refreshChart() {
    guard let picture = history.picture, picture.query.focus == history.focus else {
      history.content.gaps = []
      return
    }
    let columns = picture.chart.columns.lazy.compactMap { $0 }
    history.content.gaps = HistoryGaps(chart: picture.chart).found
    var (low, high) = (Double.infinity, -Double.infinity)
    let isCount = isCountChart(picture)
    for column in columns {
      if isCount {
        (low, high) = (0, max(high, Double(column.count)))
      } else if column.numbers > 0 {
        (low, high) = (min(low, column.minimum), max(high, column.maximum))
      }
    }
    guard low <= high else { return }
    if low > 0, low < high * 0.6 { low = 0 }
    history.content.range = NiceScale.range(low...high, ticks: 4).range
  }

  /// Whether the chart shows how many samples there are, because their values are no numbers.
  func isCountChart(_ picture: HistoryPicture) -> Bool {
    picture.query.narrowed != nil || !picture.chart.columns.contains { ($0?.numbers ?? 0) > 0 }
  }
}
