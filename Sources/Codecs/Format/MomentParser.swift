package import Platform

/// Parses times as people type them.
package enum MomentParser {
  /// Examples of accepted text.
  package static let expected = "14:32  14:32:07.5  -1h30m  +30s  yesterday 9:00  2026-11-21 14:32  now"

  /// The meaning of parsed text.
  package enum Meaning: Hashable, Sendable {
    /// Live mode, at the end of the data.
    case live
    case moment(Timestamp)
  }

  /// The context relative to which text is interpreted.
  package struct Context: Sendable {
    /// The current time.
    package var now: Timestamp
    /// The time that relative steps count from; a time of day is on its day.
    package var playhead: Timestamp
    /// The latest possible time: a later time of day means the day before.
    package var latest: Timestamp
    /// The zone's offset from UTC at a time, in seconds.
    package var offset: @Sendable (_ time: Timestamp) -> Double

    package init(
      now: Timestamp, playhead: Timestamp, latest: Timestamp,
      offset: @escaping @Sendable (_ time: Timestamp) -> Double
    ) {
      self.now = now
      self.playhead = playhead
      self.latest = latest
      self.offset = offset
    }
  }

  /// The range of accepted times.
  private static let times = Timestamp(-1e12)...Timestamp(1e12)

  /// Parses a time; `nil` for text that is not one.
  ///
  /// `-15m` and `+30s` count from the playhead, `15m` back from now, and a time of day without a date is on the
  /// playhead's day. A local time skipped by the clocks is interpreted with the offset before the change; one that
  /// occurs twice means the first occurrence.
  package static func meaning(_ text: String, in context: Context) -> Meaning? {
    // Longer than any time; pasted text may be huge.
    guard text.utf8.count <= 64 else { return nil }
    let words = text.lowercased().split { $0 == " " || $0 == "\t" }
    if words == ["now"] || words == ["live"] { return .live }
    let found =
      words.count == 1 ? single(words[0], context) : words.count == 2 ? pair(words, context) : nil
    guard let found, times.contains(found) else { return nil }
    return .moment(found)
  }

  private static func single(_ word: Substring, _ context: Context) -> Timestamp? {
    if let length = length(word.drop { $0 == "+" || $0 == "-" }), word.prefix(2).filter(isSign).count < 2 {
      switch word.first {
      case "+": return context.playhead + length
      case "-": return context.playhead - length
      default: return context.now - length
      }
    }
    if let time = timeOfDay(word) { return onPlayheadsDay(time, context) }
    if let day = day(word, context) { return moment(day: day, time: 0, context) }
    if let mark = word.firstIndex(of: "t") {
      return dated(word[..<mark], word[word.index(after: mark)...], context)
    }
    // Seconds as written in a file; a shorter number is more likely a typo.
    guard word.count >= 8, word.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "." }) else { return nil }
    return Double(word).map { Timestamp($0) }
  }

  private static func isSign(_ character: Character) -> Bool { character == "+" || character == "-" }

  private static func pair(_ words: [Substring], _ context: Context) -> Timestamp? {
    dated(words[0], words[1], context)
  }

  /// A day and a time.
  ///
  /// Without a year, the latest such time that is not in the future.
  private static func dated(
    _ date: Substring, _ clock: Substring, _ context: Context
  ) -> Timestamp? {
    guard let day = day(date, context) else { return nil }
    let found = timed(day, clock, context)
    guard let found, found > context.latest, let earlier = dayOfYear(date, before: day) else {
      return found
    }
    return timed(earlier, clock, context)
  }

  /// A time on a day, optionally with a zone.
  private static func timed(_ day: Int, _ clock: Substring, _ context: Context) -> Timestamp? {
    if clock.last == "z" {
      return timeOfDay(clock.dropLast()).map { Timestamp(unixSeconds: Double(day) * 86_400 + $0) }
    }
    if let sign = clock.lastIndex(where: isSign), let time = timeOfDay(clock[..<sign]),
      let ahead = zone(clock[sign...])
    {
      return Timestamp(unixSeconds: Double(day) * 86_400 + time - ahead)
    }
    return timeOfDay(clock).flatMap { moment(day: day, time: $0, context) }
  }

  private static func onPlayheadsDay(_ time: Double, _ context: Context) -> Timestamp? {
    let today = dayNumber(of: context.playhead, context)
    guard let found = today.flatMap({ moment(day: $0, time: time, context) }) else { return nil }
    guard found > context.latest, let today else { return found }
    return moment(day: today - 1, time: time, context)
  }

  // MARK: Days

  private static func dayNumber(of time: Timestamp, _ context: Context) -> Int? {
    guard times.contains(time) else { return nil }
    return Int(((time.unixSeconds + context.offset(time)) / 86_400).rounded(.down))
  }

  /// The time at which clocks of the zone show a time of day on a day.
  private static func moment(day: Int, time: Double, _ context: Context) -> Timestamp? {
    let shown = Timestamp(unixSeconds: Double(day) * 86_400 + time)
    guard times.contains(shown) else { return nil }
    return WallTime.moment(showing: shown, offset: context.offset)
  }

  /// Parses `today`, `yesterday`, `2026-11-21` or `11-21`, in days since 1970.
  private static func day(_ word: Substring, _ context: Context) -> Int? {
    guard let today = dayNumber(of: context.now, context) else { return nil }
    switch word {
    case "today": return today
    case "yesterday": return today - 1
    default: break
    }
    let parts = word.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3,
      parts.dropFirst(parts.count - 2).allSatisfy({ $0.count <= 2 }),
      let month = number(parts[parts.count - 2], upTo: 12),
      let day = number(parts[parts.count - 1], upTo: 31),
      month > 0, day > 0
    else { return nil }
    guard parts.count == 3 else {
      let latest = dayNumber(of: context.latest, context) ?? today
      return dayOfYear(word, before: max(today, latest) + 1)
    }
    guard parts[0].count == 4, let year = number(parts[0], upTo: 9999) else { return nil }
    return CivilDate(year: year, month: month, day: day).number
  }

  /// The last occurrence of a day such as `11-21` before another day, in days since 1970; `nil` for other text.
  private static func dayOfYear(_ word: Substring, before limit: Int) -> Int? {
    let parts = word.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let month = number(parts[0], upTo: 12), let day = number(parts[1], upTo: 31)
    else { return nil }
    let year = CivilDate(day: limit).year
    // Leap days may be eight years apart.
    return (0...8).lazy.compactMap { CivilDate(year: year - $0, month: month, day: day).number }
      .first { $0 < limit }
  }

  // MARK: Times and durations

  /// Parses `14:32`, `14:32:07` or `14:32:07.5`, in seconds.
  private static func timeOfDay(_ word: Substring) -> Double? {
    let parts = word.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3, parts[0].count <= 2, parts[1].count == 2,
      let hour = number(parts[0], upTo: 23), let minute = number(parts[1], upTo: 59)
    else { return nil }
    let whole = Double(hour * 3600 + minute * 60)
    guard parts.count == 3 else { return whole }
    let second = parts[2].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard second[0].count == 2, let seconds = number(second[0], upTo: 59) else { return nil }
    guard second.count == 2 else { return whole + Double(seconds) }
    guard (1...9).contains(second[1].count), let digits = number(second[1], upTo: .max) else { return nil }
    let scale = second[1].reduce(1.0) { scale, _ in scale * 10 }
    return whole + Double(seconds) + Double(digits) / scale
  }

  /// Parses `+01:00`, `-0330` or `+02`, in seconds.
  private static func zone(_ word: Substring) -> Double? {
    let digits = word.dropFirst().filter { $0 != ":" }
    guard digits.count == 2 || digits.count == 4, word.count <= 6,
      let hours = number(digits.prefix(2)[...], upTo: 18),
      let minutes = digits.count == 4 ? number(digits.suffix(2)[...], upTo: 59) : 0
    else { return nil }
    let ahead = Double(hours * 3600 + minutes * 60)
    return word.first == "-" ? -ahead : ahead
  }

  private static let units: [String: Double] = [
    "ms": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800,
  ]

  /// Parses `90s`, `250ms`, `15m`, `2h`, `30d` or `2w`, or a sum from large to small such as `1h30m`, in seconds.
  package static func length(_ word: some StringProtocol) -> Double? {
    func isDigit(_ character: Character) -> Bool {
      character.isASCII && character.isNumber || character == "."
    }
    var (sum, rest, last) = (0.0, Substring(word), Double.infinity)
    repeat {
      let digits = rest.prefix(while: isDigit)
      let name = rest.dropFirst(digits.count).prefix { !isDigit($0) }
      guard let unit = units[String(name)], unit < last, digits.first != ".",
        let count = Double(String(digits)), (sum + count * unit).isFinite
      else { return nil }
      (sum, last) = (sum + count * unit, unit)
      rest = rest.dropFirst(digits.count + name.count)
    } while !rest.isEmpty
    return sum
  }

  /// An unsigned integer in ASCII digits.
  private static func number(_ digits: some StringProtocol, upTo limit: Int) -> Int? {
    guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }), let value = Int(String(digits)),
      value <= limit
    else { return nil }
    return value
  }
}
