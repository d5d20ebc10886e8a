import Aggregation
import DashboardCore
package import History

/// The payloads of both sides of a condition, in one archive.
struct CheckSides: Sendable {
  /// The side that a condition compares with.
  enum Other: Hashable, Sendable {
    case none
    case version(String)
    /// The payloads of a file that was named.
    case file(String)
    /// The figures of the judged version in a state of the app.
    case state(String)
    /// The payloads of another file, of a version if one is named.
    case against(version: String?)
  }

  let archive: PayloadArchive
  let a: SampleCube.Choice
  let b: SampleCube.Choice?
  /// The names of A and B.
  let names: [String]

  private static func choice(version: String?) -> SampleCube.Choice {
    SampleCube.Choice(
      labels: version.map { [PayloadArchive.versionDimension: .value($0)] } ?? [:], window: nil)
  }

  private static func side(_ name: String) -> SampleCube.Choice {
    SampleCube.Choice(labels: [PayloadArchive.sideFact: .value(name)], window: nil)
  }

  /// - Parameters:
  ///   - version: The version that is judged; `nil` for all payloads.
  ///   - against: The payloads of the other file, and its name.
  init(
    _ archive: PayloadArchive, version: String?, other: Other,
    against: (archive: PayloadArchive, name: String)?
  ) {
    let judged = version ?? "all"
    switch other {
    case .none:
      (self.archive, a, b, names) = (archive, Self.choice(version: version), nil, [judged])
    case .version(let name):
      (self.archive, a, b) = (archive, Self.choice(version: version), Self.choice(version: name))
      names = [judged, name]
    case .file(let name):
      let isOfFile = { (payload: PayloadArchive.Payload) in payload.file == name }
      self = CheckSides(
        archive.chosen { $0.has(version: version) && !isOfFile($0) }, archive.chosen(where: isOfFile),
        names: [judged, name])
    case .state(let label):
      let mine = archive.chosen { $0.has(version: version) }
      self = CheckSides(mine, mine.inState(label), names: [judged, "state \(label)"])
    case .against(let wanted):
      let other = against?.archive ?? PayloadArchive()
      let version = version
      let name = [wanted, against?.name].compactMap(\.self).joined(separator: " of ")
      self = CheckSides(
        archive.chosen { $0.has(version: version) }, other.chosen { $0.has(version: wanted) },
        names: [judged, name])
    }
  }

  private init(_ mine: PayloadArchive, _ other: PayloadArchive, names: [String]) {
    var (all, other) = (mine, other)
    all.mark(side: "A")
    other.mark(side: "B")
    all.join(other)
    (archive, a, b, self.names) = (all, Self.side("A"), Self.side("B"), names)
  }

  /// The overview of both sides.
  var summary: OverviewSummary {
    var summary = OverviewSummary(
      archive, OverviewSummary.Key(payloads: ValueVersion(), a: a, b: b, names: names))
    while !summary.isDone { summary.proceed(.init(values: .max, bytes: .max)) }
    summary.proceed()
    return summary
  }
}

extension PayloadArchive.Payload {
  /// True if it is of a version, or of any.
  fileprivate func has(version: String?) -> Bool { version == nil || self.version == version }
}

extension PayloadArchive {
  /// The payloads and the diagnostics that are chosen, by what is known of their payloads.
  package func chosen(where isChosen: (Payload) -> Bool) -> PayloadArchive {
    var result = self
    result.payloads.removeAll { !isChosen($0) }
    guard !diagnostics.isEmpty else { return result }
    var reader = DiagnosticReader(self)
    reader.read(.max)
    let places = Set(reader.places(where: isChosen))
    // Those that cannot be read stay, so that they are counted.
    let unread = Set(diagnostics.indices).subtracting(reader.facts.map(\.place))
    result.diagnostics = diagnostics.indices.filter { places.contains($0) || unread.contains($0) }
      .map { diagnostics[$0] }
    return result
  }
}
