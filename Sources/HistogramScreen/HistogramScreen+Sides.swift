import Aggregation
import Codecs
import DashboardCore
import History
import Platform

/// A choice and what it is called.
struct NamedChoice: Hashable {
  let name: String
  let choice: HistogramChoice
}

extension HistogramScreen {
  /// Before every sample.
  static let farPast = Timestamp(-1e12)
  /// How old what was read closely may be, in seconds.
  fileprivate static let closeAge = 5.0
}

// Which samples the two sides of the histogram are of.
extension HistogramScreen {
  /// The stretch of time that both sides are of; `nil` for all there is.
  ///
  /// While it moves on with the clock, it is what was read closely last, so that figures do not change their kind.
  var window: Range<Timestamp>? {
    guard case .last = state.range, let wanted = wantedWindow, let close = state.close,
      case .series(close.series) = state.subject, !session.isFrozen
    else { return wantedWindow }
    let found = close.1.window
    let isNear =
      wanted.upperBound - found.upperBound < HistogramScreen.closeAge && found.upperBound <= wanted.upperBound
    let isAlike = abs((wanted.upperBound - wanted.lowerBound) - (found.upperBound - found.lowerBound)) < 1e-3
    return isNear && isAlike ? found : wanted
  }

  /// The stretch of time that both sides are meant to be of.
  var wantedWindow: Range<Timestamp>? {
    switch state.range {
    case .all:
      // At the end of all there is, the whole is told more closely than by its slots.
      guard case .frozen(let moment) = session.playhead,
        moment < session.knownRange?.upperBound ?? .distantFuture
      else {
        return nil
      }
      return HistogramScreen.farPast..<max(HistogramScreen.farPast, moment).nextUp
    case .last(let length): return Session.range(from: session.present - length, length: length.nextUp)
    case .fixed(let window): return window
    }
  }

  /// The choice that the samples of both sides have in common.
  var common: SampleCube.Choice {
    SampleCube.Choice(labels: state.options.only, window: window?.seconds)
  }

  /// The meaning of a choice for the files; `nil` for none.
  func choice(_ choice: HistogramChoice) -> SampleCube.Choice? {
    var result = common
    switch choice {
    case .nothing: return nil
    case .everything: break
    case .label(let dimension, let value): result.labels[dimension] = value
    case .window(let window): result.window = window.seconds
    }
    return result
  }

  /// Both sides, with what was not chosen as it tells most.
  func sides(of source: HistogramSource) -> (a: NamedChoice, b: NamedChoice) {
    let usual = usualSides(of: source)
    let a = state.options.a ?? usual.a
    var b = state.options.b ?? usual.b
    // The usual second side would be the first one once more, or not the version before the one that was chosen.
    if state.options.b == nil, b == a || state.options.a != nil { b = otherSide(than: a, usual, source) }
    return (NamedChoice(name: name(of: a), choice: a), NamedChoice(name: name(of: b), choice: b))
  }

  private func otherSide(
    than a: HistogramChoice, _ usual: (a: HistogramChoice, b: HistogramChoice), _ source: HistogramSource
  ) -> HistogramChoice {
    guard case .label(let dimension, .value(let value)) = a, dimension == source.versionDimension else {
      return usual.a == a ? .nothing : usual.a
    }
    let versions = source.versions
    guard let place = versions.firstIndex(of: value), versions.count > 1 else { return .nothing }
    let other = versions.indices.contains(place + 1) ? versions[place + 1] : versions[place - 1]
    return .label(dimension: dimension, value: .value(other))
  }

  /// The newest two versions; without versions the range and what was before it.
  private func usualSides(of source: HistogramSource) -> (a: HistogramChoice, b: HistogramChoice) {
    if let dimension = source.versionDimension, state.options.only[dimension] == nil {
      let versions = source.versions.filter { version in
        var choice = common
        choice.labels[dimension] = .value(version)
        return source.has(choice)
      }
      let sides = versions.prefix(2).map { HistogramChoice.label(dimension: dimension, value: .value($0)) }
      if sides.count == 2 { return (sides[0], sides[1]) }
    }
    guard state.range != .all, let window, let whole = session.knownRange,
      whole.lowerBound < window.lowerBound
    else { return (.everything, .nothing) }
    return (.everything, .window(whole.lowerBound..<window.lowerBound))
  }

  /// The name of a choice where it stands beside another one.
  func name(of choice: HistogramChoice) -> String {
    switch choice {
    case .nothing: return "none"
    case .everything:
      switch state.range {
      case .all: return "all"
      case .last(let length): return "last \(DurationFormat.text(length))"
      case .fixed(let window): return name(of: window)
      }
    case .label(let dimension, let value):
      let isPlain = dimension == source?.versionDimension || dimension == SampleCube.fileDimension
      return isPlain ? value.words : "\(dimension) \(value.words)"
    case .window(let chosen):
      if let window, chosen.upperBound == window.lowerBound, state.range != .all { return "before" }
      return name(of: chosen)
    }
  }

  /// A stretch of time in words: `13:00-14:32`.
  func name(of window: Range<Timestamp>) -> String {
    let isOfMinutes = [window.lowerBound, window.upperBound].allSatisfy {
      $0.seconds.truncatingRemainder(dividingBy: 60).magnitude < 0.001
    }
    let precision: ClockZone.Precision = isOfMinutes ? .minutes : .seconds
    let from = session.zone.exactMoment(window.lowerBound, now: session.now, precision)
    return "\(from)-\(session.zone.moment(window.upperBound, now: window.lowerBound, precision))"
  }

  /// A moment in words: `13:00`, with the day where that is another one.
  func name(ofTime time: Timestamp) -> String { session.zone.moment(time, now: session.now, .minutes) }

  /// The chosen field, or value of one, that the samples do not have.
  package var unknownField: String? {
    guard let source else { return nil }
    let dimensions = source.dimensions
    var wanted: [(field: String, value: SampleCube.LabelValue?)] = []
    if let group = state.options.group { wanted.append((group, nil)) }
    for case .label(let dimension, let value)? in [state.options.a, state.options.b] {
      wanted.append((dimension, value))
    }
    wanted += state.options.only.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    for (field, value) in wanted {
      guard let found = dimensions.first(where: { $0.name == field }) else {
        let names = dimensions.map(\.name).joined(separator: ", ")
        return "there is no field \(field): "
          + (dimensions.isEmpty ? "samples of this metric have none to choose by" : "the fields are \(names)")
      }
      if case .value(let text)? = value, !found.values.contains(text) {
        return "\(field) is never '\(text)': it is \(found.values.sorted().joined(separator: ", "))"
      }
    }
    return nil
  }

  /// The name of the range in the header.
  var rangeText: String {
    switch state.range {
    case .all:
      session.isFrozen ? "until \(session.zone.moment(session.present, now: session.now))" : "all times"
    case .last(let length): "last \(DurationFormat.text(length))"
    case .fixed(let window): name(of: window)
    }
  }
}
