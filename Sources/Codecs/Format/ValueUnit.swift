/// The unit of a metric's numbers, derived only from the end of its name.
package enum ValueUnit: Hashable, Sendable {
  case nanoseconds, microseconds, milliseconds, seconds, minutes
  case bytes, kilobytes, megabytes, gigabytes
  /// Powers of 1,024 bytes.
  case kibibytes, mebibytes, gibibytes
  case percent
  /// A fraction of one, shown as a percentage.
  case ratio
  case perSecond, hertz
  /// A thousand of a quantity without a unit.
  case thousands
  /// A time in seconds or milliseconds since 1970.
  case unixTime
  /// The same, or seconds since 2001, as Swift encodes dates.
  case moment
  case plain

  /// The dimension that a unit belongs to.
  package enum Dimension: Hashable, Sendable {
    case time, bytes, percent, frequency, moment, plain
  }

  package var dimension: Dimension {
    switch self {
    case .nanoseconds, .microseconds, .milliseconds, .seconds, .minutes: .time
    case .bytes, .kilobytes, .megabytes, .gigabytes, .kibibytes, .mebibytes, .gibibytes: .bytes
    case .percent, .ratio: .percent
    case .perSecond, .hertz: .frequency
    case .unixTime, .moment: .moment
    case .thousands, .plain: .plain
    }
  }

  /// The value of one unit in seconds, bytes, percent or plain numbers, as a quotient of integers.
  ///
  /// With integers, 400 ms compares equal to 400,000 µs.
  package var scale: (factor: Double, divisor: Double) {
    switch self {
    case .nanoseconds: (1, 1e9)
    case .microseconds: (1, 1e6)
    case .milliseconds: (1, 1e3)
    case .minutes: (60, 1)
    case .kilobytes, .thousands: (1e3, 1)
    case .megabytes: (1e6, 1)
    case .gigabytes: (1e9, 1)
    case .kibibytes: (0x1p10, 1)
    case .mebibytes: (0x1p20, 1)
    case .gibibytes: (0x1p30, 1)
    case .ratio: (100, 1)
    case .seconds, .bytes, .percent, .perSecond, .hertz, .unixTime, .moment, .plain: (1, 1)
    }
  }

  /// True if it is a multiple of bytes.
  package var isOfBytes: Bool { dimension == .bytes }
}

// MARK: Names

extension ValueUnit {
  /// Units by the last word of a name (after `_`, as in `durationMs`, or the whole name); the configuration uses the same
  /// words.
  package static let words: [(key: String, value: ValueUnit)] = [
    ("ns", .nanoseconds), ("us", .microseconds), ("ms", .milliseconds), ("s", .seconds),
    ("seconds", .seconds),
    ("min", .minutes), ("bytes", .bytes), ("kb", .kilobytes), ("mb", .megabytes), ("gb", .gigabytes),
    ("kib", .kibibytes), ("mib", .mebibytes), ("gib", .gibibytes), ("percent", .percent), ("ratio", .ratio),
    ("per_s", .perSecond),
    ("hz", .hertz), ("count", .plain),
  ]
  /// The same with words that only other programs use.
  private static let byWord = Dictionary(uniqueKeysWithValues: words.map { ($0.key, $0.value) }).merging([
    "nanos": .nanoseconds, "micros": .microseconds, "millis": .milliseconds,
  ]) { known, _ in known }

  /// The unit of a metric or field of this name; plain if the name has none.
  package init(name: String) { self = ValueUnit(endOf: name) ?? .plain }

  /// The unit that the end of a name denotes; `nil` without one.
  package init?(endOf fullName: String) {
    // A field of a nested struct is `outer.inner`.
    let dot = fullName.utf8.lastIndex(of: UInt8(ascii: "."))
    let name = fullName[(dot.map(fullName.utf8.index(after:)) ?? fullName.startIndex)...]
    guard let line = name.utf8.lastIndex(of: UInt8(ascii: "_")) else {
      // A field named just `min` is a minimum, not minutes.
      guard name != "min",
        let unit = Self.byWord[String(name)] ?? Self.byWord[Self.lastWord(ofCamelCase: name)]
          ?? Self.ofMoment(name)
      else { return nil }
      self = unit
      return
    }
    let word = String(name[name.utf8.index(after: line)...])
    let rest = name[..<line]
    if word == "s", rest == "per" || rest.hasSuffix("_per") {
      // Megabytes per second are no number of events.
      guard Self.byWord[String(rest.split(separator: "_").dropLast().last ?? "")] == nil else { return nil }
      self = .perSecond
    } else if word == "min", let other = Self.byWord[String(rest.split(separator: "_").last ?? "")] {
      // The end of `rtt_ms_min` is a minimum, too.
      self = other
    } else if let unit = Self.byWord[word] ?? Self.ofMoment(name) {
      self = unit
    } else {
      return nil
    }
  }

  /// `ms` of `durationMs`; empty for a name without a word of its own at the end, and for `Min`, a minimum.
  private static func lastWord(ofCamelCase name: Substring) -> String {
    guard let start = name.utf8.lastIndex(where: { $0 >= 0x41 && $0 <= 0x5A }), start != name.startIndex,
      case let before = name.utf8[name.utf8.index(before: start)], before >= 0x61, before <= 0x7A
    else { return "" }
    let word = name[start...].lowercased()
    return word == "min" || word == "s" ? "" : word
  }

  /// Names of times: `created_at`, `expiryDate`, `start_time`.
  ///
  /// A name that ends with `time` may also be a duration, whose nanoseconds are too easily confused with seconds since
  /// 2001.
  private static func ofMoment(_ name: Substring) -> ValueUnit? {
    func ends(_ endings: [String]) -> Bool { endings.contains { name.hasSuffix($0) } }
    if ends(["_at", "At", "date", "Date", "timestamp", "Timestamp"]) { return .moment }
    return ends(["time", "Time"]) ? .unixTime : nil
  }
}
