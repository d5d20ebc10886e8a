import Aggregation
import DashboardCore
import History
import Platform
import TerminalUI

// The actions on the Histogram screen.
extension HistogramScreen {
  // MARK: Showing the screen

  /// Adopts metric and zoom from the other screens; the metric only if it has numbers.
  mutating func appear(about subjects: [SeriesIdentity]) {
    state.subjects = subjects
    if state.subject != nil, state.wantedMetric == nil { showSeen() }
    // Narrowed to a host, there are no others to compare with.
    if session.scope != .all, comparedHost != nil { sides = ComparedSides() }
    adoptRange()
  }

  /// Shows the metric last seen; if that has nothing to compare, the one that the last release changed most.
  ///
  /// - Returns: True if there is one.
  @discardableResult
  mutating func showSeen() -> Bool {
    if let seen = state.subjects.first, session.isComparable(seen) {
      show(HistogramSubject(seen))
      return true
    }
    if state.isSubstitute { return true }
    guard let other = session.strongestChange else {
      state.isSubstitute = state.subject != nil && !state.subjects.isEmpty
      return false
    }
    show(.series(other))
    state.isSubstitute = true
    return true
  }

  /// Shows the histogram of the first numeric series.
  mutating func showDistribution(of subjects: [SeriesIdentity], _ span: TimeSpan) {
    guard let subject = firstSubject(of: subjects) else { return }
    // The compared sides belong to the previous subject.
    sides = ComparedSides()
    if case .fixed(let window) = span, coversAll(window) { sides.range = .all } else { sides.range = span }
    show(subject)
  }

  private func coversAll(_ window: Range<Timestamp>) -> Bool {
    guard let whole = session.knownRange else { return true }
    return window.lowerBound <= whole.lowerBound && window.upperBound > whole.upperBound
  }

  // MARK: Choosing

  mutating func nextGroup() {
    guard let source else { return }
    let names = source.dimensions.map(\.name)
    guard !names.isEmpty else { return }
    let place = state.content.group.flatMap(names.firstIndex) ?? -1
    state.options.group = names[(place + 1) % names.count]
    state.cursors[.split] = 0
    session.showToast("Split by \(names[(place + 1) % names.count])")
  }

  mutating func nextScale() {
    let scales = HistogramGrid.Scale.allCases
    guard let figures = state.content.figures else { return }
    let next = scales[((scales.firstIndex(of: figures.grid.scale) ?? 0) + 1) % scales.count]
    state.options.scale = next
    let found = HistogramGrid(next, for: figures.a.bins + (figures.b?.bins ?? []), rows: layout.binRows).scale
    if found != next {
      // The next change continues after the scale that was not possible.
      let after = scales[((scales.firstIndex(of: next) ?? 0) + 1) % scales.count]
      state.options.scale = after
      session.showToast("\(next.title): not possible here; showing \(after.title)")
    } else {
      session.showToast(next.title)
    }
  }

  /// Moves along the columns of time if that pane is focused, otherwise moves the playhead together with the range.
  mutating func movePlayhead(by steps: Int) {
    guard state.pane == .course else { return moveRange(by: steps) }
    moveCursor(of: .course, by: steps, count: state.content.course.columns.count)
  }

  // MARK: Rows

  mutating func moveCursor(by rows: Int) {
    switch state.pane {
    case .bins:
      moveCursor(of: .bins, by: rows, count: state.content.figures?.rows.count ?? 0)
    case .versions: moveCursor(of: .versions, by: rows, count: state.content.versions.count)
    case .split: moveCursor(of: .split, by: rows, count: state.content.groups.count)
    case .course: moveCursor(of: .course, by: rows, count: state.content.course.columns.count)
    case .figures: break
    }
  }

  private mutating func moveCursor(of pane: HistogramPane, by rows: Int, count: Int) {
    guard count > 0 else { return }
    state.cursors[pane] = Session.moved(cursor(pane, count), by: rows, count: count)
  }

  /// The selected row of a pane; the default is the bin with the most samples, or the last column of time.
  func cursor(_ pane: HistogramPane, _ count: Int) -> Int {
    if let chosen = state.cursors[pane] { return max(0, min(count - 1, chosen)) }
    switch pane {
    case .bins:
      let rows = state.content.figures?.rows ?? []
      return rows.indices.max { (rows[$0].shareA, -$0) < (rows[$1].shareA, -$1) } ?? 0
    case .course: return max(0, count - 1)
    case .versions, .split, .figures: return 0
    }
  }

  // MARK: Opening

  package mutating func enter() {
    let content = state.content
    switch state.pane {
    case .bins, .figures: openBin()
    case .versions:
      let row = cursor(.versions, content.versions.count)
      guard content.versions.indices.contains(row), let source, let dimension = source.versionDimension,
        source.versions.contains(content.versions[row].name)
      else { return }
      compare(version: content.versions[row].name, of: dimension)
    case .course:
      let column = cursor(.course, content.course.columns.count)
      guard content.course.columns.indices.contains(column) else { return }
      openSamples(values: nil, window: content.course.window(ofColumn: column))
    case .split:
      let row = cursor(.split, content.groups.count)
      guard content.groups.indices.contains(row), let group = content.group else { return }
      // Selecting the same row again removes the filter.
      let value = content.groups[row].value
      sides.only[group] = sides.only[group] == value ? nil : value
    }
  }

  private mutating func openBin() {
    guard let figures = state.content.figures, !figures.rows.isEmpty else { return }
    let row = figures.grid.rows[cursor(.bins, figures.rows.count)]
    openSamples(values: row.lower..<max(row.lower.nextUp, row.upper), window: nil)
  }

  /// Shows individual samples of A: those of a bin, or of a time range.
  private mutating func openSamples(values: Range<Double>?, window: Range<Timestamp>?) {
    if case .payload(let figure)? = state.subject {
      return session.open(.payloads(sides, state.ticket, figure: figure))
    }
    guard let source, case .series(let identity)? = state.subject,
      let mine = choice(sides(of: source).a.choice)
    else { return }
    guard mine.labels[SampleCube.hostDimension] != .missing else {
      return session.showToast("Samples are listed of one host: \(session.keyText("U")) makes it A")
    }
    let seen = window ?? mine.window.map { Range(seconds: $0) }
    let isOfTexts = if case .texts = source { true } else { false }
    let filter = SampleFilter(values: isOfTexts ? nil : values, labels: mine.labels)
    let range = seen.flatMap { $0.lowerBound > Self.farPast ? $0 : nil }
    openSamples(
      of: identity, filter: filter == SampleFilter() ? nil : filter,
      window: range.map(SampleRequest.WindowRequest.range) ?? .whole)
  }

  /// Leaves a maximised pane, drops the filter, or returns to the screen from which the histogram was opened.
  ///
  /// - Returns: True if there was anything to undo.
  package mutating func stepBack() -> Bool {
    if state.isMaximised {
      state.isMaximised = false
    } else if !sides.only.isEmpty {
      sides.only = [:]
    } else if state.isFromPayloads {
      state.isFromPayloads = false
      session.open(.payloads(sides, state.ticket))
    } else if let ticket = state.ticket {
      session.open(.back(ticket))
    } else {
      return false
    }
    return true
  }
}

extension HistogramGrid.Scale {
  /// The name of the scale.
  var title: String {
    switch self {
    case .linear: "bins of equal width"
    case .logarithmic: "logarithmic bins"
    case .recorded: "bins as recorded"
    }
  }
}
