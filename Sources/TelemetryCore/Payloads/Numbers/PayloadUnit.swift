/// The units that payloads are written in, whatever the language.
enum PayloadUnit: Hashable, CaseIterable {
  case milliseconds, seconds, minutes, hours
  case bytes, kilobytes, megabytes, gigabytes

  /// Kinds of measurement.
  enum Dimension: Hashable {
    case duration, information
  }

  var dimension: Dimension {
    switch self {
    case .milliseconds, .seconds, .minutes, .hours: .duration
    case .bytes, .kilobytes, .megabytes, .gigabytes: .information
    }
  }

  /// The unit that a word means, given what is measured: the Finnish `t` is a byte or an hour.
  init?(word: String, dimension: Dimension) {
    let word = NormalizedText(word).unit
    let found = dimension == .duration ? UnitWords.durations[word] : UnitWords.information[word]
    guard let found else { return nil }
    self = found
  }

  /// The word that systems since iOS 16 write, in whatever region.
  var word: String {
    switch self {
    case .milliseconds: "ms"
    case .seconds: "sec"
    case .minutes: "min"
    case .hours: "hr"
    case .bytes: "byte"
    case .kilobytes: "kB"
    case .megabytes: "MB"
    case .gigabytes: "GB"
    }
  }

  /// The unit as one of a duration; seconds for what is none.
  var duration: DurationUnit {
    switch self {
    case .milliseconds: .milliseconds
    case .minutes: .minutes
    case .hours: .hours
    case .seconds, .bytes, .kilobytes, .megabytes, .gigabytes: .seconds
    }
  }

  /// The unit as one of information; bytes for what is none.
  var information: InformationUnit {
    switch self {
    case .kilobytes: .kilobytes
    case .megabytes: .megabytes
    case .gigabytes: .gigabytes
    case .bytes, .milliseconds, .seconds, .minutes, .hours: .bytes
    }
  }
}
