package import Aggregation
import Codecs
import History
package import Platform

extension ComparingScreen {
  /// Before every sample.
  package static var farPast: Timestamp { Timestamp(-1e12) }
}

// Which samples the two sides are of.
extension ComparingScreen {
  /// The stretch of time that both sides are meant to be of.
  package var wantedWindow: Range<Timestamp>? {
    switch sides.range {
    case .all:
      // At the end of all there is, the whole is told more closely than by its slots.
      guard case .frozen(let moment) = session.playhead,
        moment < session.knownRange?.upperBound ?? .distantFuture
      else {
        return nil
      }
      return Self.farPast..<max(Self.farPast, moment).nextUp
    case .last(let length): return Session.range(from: session.present - length, length: length.nextUp)
    case .fixed(let window): return window
    }
  }

  /// The choice that the samples of both sides have in common.
  package var common: SampleCube.Choice {
    SampleCube.Choice(labels: sides.only, window: window?.seconds)
  }

  /// The meaning of a choice for the files; `nil` for none.
  package func choice(_ choice: HistogramChoice) -> SampleCube.Choice? {
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
  package func sides(of source: any SideCandidates) -> (a: NamedChoice, b: NamedChoice) {
    let usual = usualSides(of: source)
    let a = sides.a ?? usual.a
    var b = sides.b ?? usual.b
    // The usual second side would be the first one once more, or not the version before the one that was chosen.
    if sides.b == nil, b == a || sides.a != nil { b = otherSide(than: a, usual, source) }
    return (NamedChoice(name: name(of: a), choice: a), NamedChoice(name: name(of: b), choice: b))
  }

  private func otherSide(
    than a: HistogramChoice, _ usual: (a: HistogramChoice, b: HistogramChoice), _ source: any SideCandidates
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
  private func usualSides(of source: any SideCandidates) -> (a: HistogramChoice, b: HistogramChoice) {
    if let dimension = source.versionDimension, sides.only[dimension] == nil {
      let versions = source.versions.filter { version in
        var choice = common
        choice.labels[dimension] = .value(version)
        return source.has(choice)
      }
      let sides = versions.prefix(2).map { HistogramChoice.label(dimension: dimension, value: .value($0)) }
      if sides.count == 2 { return (sides[0], sides[1]) }
    }
    guard sides.range != .all, let window, let whole = session.knownRange,
      whole.lowerBound < window.lowerBound
    else { return (.everything, .nothing) }
    return (.everything, .window(whole.lowerBound..<window.lowerBound))
  }

  /// The name of a choice where it stands beside another one.
  package func name(of choice: HistogramChoice) -> String {
    switch choice {
    case .nothing: return "none"
    case .everything:
      switch sides.range {
      case .all: return "all"
      case .last(let length): return "last \(DurationFormat.text(length))"
      case .fixed(let window): return name(of: window)
      }
    case .label(SampleCube.hostDimension, .missing): return "all other hosts"
    case .label(let dimension, let value):
      let isPlain =
        dimension == candidates?.versionDimension
        || [SampleCube.fileDimension, SampleCube.hostDimension].contains(dimension)
      return isPlain ? value.words : "\(dimension) \(value.words)"
    case .window(let chosen):
      if let window, chosen.upperBound == window.lowerBound, sides.range != .all { return "before" }
      return name(of: chosen)
    }
  }

  /// A stretch of time in words: `13:00-14:32`.
  package func name(of window: Range<Timestamp>) -> String {
    let isOfMinutes = [window.lowerBound, window.upperBound].allSatisfy {
      $0.seconds.truncatingRemainder(dividingBy: 60).magnitude < 0.001
    }
    let precision: ClockZone.Precision = isOfMinutes ? .minutes : .seconds
    let from = session.zone.exactMoment(window.lowerBound, now: session.now, precision)
    return "\(from)-\(session.zone.moment(window.upperBound, now: window.lowerBound, precision))"
  }

  /// A moment in words: `13:00`, with the day where that is another one.
  package func name(ofTime time: Timestamp) -> String {
    session.zone.moment(time, now: session.now, .minutes)
  }

  /// The chosen field, or value of one, that the samples do not have.
  ///
  /// - Parameter group: the field that they are to be split by.
  package func unknownField(group: String?) -> String? {
    guard let candidates else { return nil }
    var wanted: [(field: String, value: SampleCube.LabelValue?)] = []
    if let group { wanted.append((group, nil)) }
    for case .label(let dimension, let value)? in [sides.a, sides.b] {
      wanted.append((dimension, value))
    }
    wanted += sides.only.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    if wanted.isEmpty { return nil }
    let dimensions = candidates.dimensions
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
  package var rangeText: String {
    switch sides.range {
    case .all:
      session.isFrozen ? "until \(session.zone.moment(session.present, now: session.now))" : "all times"
    case .last(let length): "last \(DurationFormat.text(length))"
    case .fixed(let window): name(of: window)
    }
  }
}
