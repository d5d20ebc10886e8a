/// The units that payloads are written in, independent of the language.
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

  /// The unit of a word, given what is measured: the Finnish `t` is a byte or an hour.
  init?(word: String, dimension: Dimension) {
    let word = NormalizedText(word).unit
    let found = dimension == .duration ? UnitWords.durations[word] : UnitWords.information[word]
    guard let found else { return nil }
    self = found
  }

  /// The word that systems since iOS 16 write, in every region.
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

  /// The unit as a duration; seconds if it is not one.
  var duration: DurationUnit {
    switch self {
    case .milliseconds: .milliseconds
    case .minutes: .minutes
    case .hours: .hours
    case .seconds, .bytes, .kilobytes, .megabytes, .gigabytes: .seconds
    }
  }

  /// The unit as information; bytes if it is not one.
  var information: InformationUnit {
    switch self {
    case .kilobytes: .kilobytes
    case .megabytes: .megabytes
    case .gigabytes: .gigabytes
    case .bytes, .milliseconds, .seconds, .minutes, .hours: .bytes
    }
  }
}
