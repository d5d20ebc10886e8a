import Aggregation
import DashboardCore
import History
import Platform

// The Histogram screen's queries to the history.
extension HistogramScreen {
  /// A range of fewer slots than this is read again in more detail.
  fileprivate static let fewSlots = 32.0
}

extension HistogramScreen {
  /// The query for a whole series first, then for a short range of it in more detail.
  var wantedQuery: HistoryQuery {
    var wanted = HistogramQuery()
    if case .series(let series) = state.subject {
      (wanted.series, wanted.isOfTexts) = (series, !session.isNumeric(series))
    }
    wanted.host = comparedHost
    wanted.wantsPayloads = mayHavePayloads
    wanted.window = closeWindow
    return HistoryQuery(window: Timestamp(0)..<Timestamp(1), playhead: Timestamp(0), histogram: wanted)
  }

  /// The host that is compared with all others; `nil` for none.
  var comparedHost: String? {
    for case .label(SampleCube.hostDimension, .value(let host))? in [sides.a, sides.b] { return host }
    return nil
  }

  /// The samples that the screen is about; `nil` for those of payloads.
  var cubeSubject: CubeSubject? {
    guard case .series(let series) = state.subject else { return nil }
    return CubeSubject(series: series, scope: session.scope, host: comparedHost)
  }

  /// The range to read in detail, where the slots of the whole series are too coarse.
  private var closeWindow: Range<Timestamp>? {
    guard let whole = state.cube, whole.subject == cubeSubject, !state.wantsWhole
    else { return nil }
    let choices = [sides.a, sides.b].compactMap { choice -> Range<Timestamp>? in
      if case .window(let window) = choice { window } else { nil }
    }
    let most = HistogramScreen.fewSlots * whole.cube.step
    let short = ([wantedWindow].compactMap { $0 } + choices).filter {
      $0.lowerBound > Self.farPast && $0.upperBound - $0.lowerBound < most
    }
    guard let first = short.first else { return nil }
    // Both sides at once, if they are close to each other.
    let hull = short.dropFirst().reduce(first) {
      min($0.lowerBound, $1.lowerBound)..<max($0.upperBound, $1.upperBound)
    }
    return hull.upperBound - hull.lowerBound < 2 * most ? hull : first
  }

  /// Stores the part of an answer that histograms use.
  mutating func adoptAnswer() {
    guard let answer = session.history.answer, let query = answer.query.histogram else { return }
    if let series = query.series, let cube = answer.cube {
      let subject = CubeSubject(series: series, scope: answer.query.scope, host: query.host)
      if let window = query.window {
        state.close = (subject, HistogramSource.CloseCube(window: window, cube: cube))
      } else {
        state.cube = (subject, cube)
        state.wantsWhole = false
      }
    }
    if let payloads = answer.payloads, state.payloads != payloads {
      state.payloads = payloads
    }
  }
}
