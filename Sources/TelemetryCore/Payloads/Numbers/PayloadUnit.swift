/// The units that payloads are written in, independent of the language.
enum PayloadUnit: Hashable, CaseIterable {
  case milliseconds, seconds, minutes, hours
  case bytes, kilobytes, megabytes, gigabytes, terabytes
  case kibibytes, mebibytes, gibibytes, tebibytes

  /// Kinds of measurement.
  enum Dimension: Hashable {
    case duration, information
  }

  var dimension: Dimension {
    switch self {
    case .milliseconds, .seconds, .minutes, .hours: .duration
    case .bytes, .kilobytes, .megabytes, .gigabytes, .terabytes, .kibibytes, .mebibytes, .gibibytes,
      .tebibytes:
      .information
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
    case .terabytes: "TB"
    case .kibibytes: "KiB"
    case .mebibytes: "MiB"
    case .gibibytes: "GiB"
    case .tebibytes: "TiB"
    }
  }

  /// The unit as a duration; seconds if it is not one.
  var duration: DurationUnit {
    switch self {
    case .milliseconds: .milliseconds
    case .minutes: .minutes
    case .hours: .hours
    default: .seconds
    }
  }

  /// The unit as information; bytes if it is not one.
  var information: InformationUnit {
    switch self {
    case .kilobytes: .kilobytes
    case .megabytes: .megabytes
    case .gigabytes: .gigabytes
    default: .bytes
    }
  }

  /// Bytes in the unit by its letters; 1 if it is not one of information.
  var bytes: Double {
    switch self {
    case .kilobytes: 1e3
    case .megabytes: 1e6
    case .gigabytes: 1e9
    case .terabytes: 1e12
    case .kibibytes: 0x1p10
    case .mebibytes: 0x1p20
    case .gibibytes: 0x1p30
    case .tebibytes: 0x1p40
    default: 1
    }
  }
}
