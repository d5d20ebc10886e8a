/// Detects releases in a text that names the version of an app.
///
/// A version is a release when it comes three times in a row for the first time, or after an absence. In a file of several
/// devices, whose versions alternate, each version is a release once.
struct ReleaseDetector: Sendable, Equatable {
  /// Samples at the beginning whose versions are known, and no releases.
  private static let warmUp = 32
  /// Consecutive samples that make a version a release.
  private static let decisive = 3
  /// Samples of absence after which a version is a release again.
  private static let absence = 200
  /// Maximum number of versions remembered.
  private static let limit = 16
  /// The outcome that stands for all versions, beside texts that are none.
  static let anyVersion = "a version"

  private struct Version: Sendable, Equatable {
    let text: String
    /// Time of its first sample since its last absence.
    var start: Double
    /// Number of the last sample.
    var last: Int
    var isReleased: Bool
  }

  /// The last seen first.
  private var versions: [Version] = []
  /// The version released last; at first, the one seen last.
  private var released = ""
  private var count = 0
  private var run = 0

  /// True once releases are possible.
  private var isKnown: Bool { count > Self.warmUp }

  /// The version of the last sample.
  var newest: String? { versions.first?.text }

  /// Records a sample; returns its release if it is one.
  mutating func record(_ text: String, at time: Double) -> Incident? {
    count &+= 1
    run = newest == text ? min(run + 1, Self.decisive) : 1
    if newest != text { moveToFront(text, at: time) }
    versions[0].last = count
    guard run == Self.decisive, !versions[0].isReleased else { return nil }
    defer { (versions[0].isReleased, released) = (true, text) }
    return release(of: versions[0], at: time)
  }

  private mutating func moveToFront(_ text: String, at time: Double) {
    var version = Version(text: text, start: time, last: count, isReleased: !isKnown)
    if let place = versions.firstIndex(where: { $0.text == text }) {
      let known = versions.remove(at: place)
      if count - known.last <= Self.absence { version = known }
    }
    if !isKnown { released = text }
    if versions.count == Self.limit { versions.removeLast() }
    versions.insert(version, at: 0)
  }

  private func release(of version: Version, at time: Double) -> Incident {
    var incident = Incident(kind: .outcome, start: version.start, peak: 1, usual: 0)
    (incident.outcome, incident.usualOutcome) = (version.text, released)
    (incident.found, incident.end) = (time, .adopted(time))
    return incident
  }
}
