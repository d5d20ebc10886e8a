import Essentials

/// The rule of the day: which figures make which payload, decided without a clock and without a disk.
///
/// - A figure belongs to the calendar day that the clock on the wall showed, in the zone of that moment.
/// - A day is closed once the clock shows a later one, and its figures are one payload, in whatever zones and versions
///   they arose. A day without figures has none.
/// - A closed day is never opened again, for its payload may be delivered: what a clock that was set back, or a flight
///   to the west, would add to it belongs to the next day that is not closed.
/// - An open day more than a week ahead of the clock was opened by a clock that was wrong; it is closed as it is.
struct DayLedger: Hashable, Sendable {
  /// A day of a source.
  struct Key: Codable, Hashable, Comparable, Sendable {
    let day: CalendarDay
    let source: String

    static func < (first: Self, second: Self) -> Bool {
      (first.day, first.source) < (second.day, second.source)
    }
  }

  /// An action to take.
  enum Action: Hashable, Sendable {
    /// Keep the payload of a day and tell by ``payloadKept(_:)``; until then the day is open.
    case keep(Key, MetricPayload)
  }

  /// Maximum number of closed days remembered per source; a clock set back further makes second payloads.
  static let memory = 400
  /// Maximum number of open days, of all sources; more than one only when the clock moves or the disk fails.
  static let openLimit = 400
  /// Maximum number of sources.
  static let sourceLimit = 100
  /// So far ahead of the clock a day stays open.
  static let horizon = 7

  private(set) var open: [Key: DayFigures] = [:]
  /// The closed days of each source in the order in which they were closed.
  private var closed: [String: [CalendarDay]] = [:]

  /// Something was recorded.
  ///
  /// - Returns: Whether there was room for it.
  mutating func recorded(
    _ figure: RecordedFigure, source: String, at moment: Date, in zone: TimeZone, from origin: FigureOrigin
  ) -> Bool {
    guard let key = CalendarDay(of: moment, in: zone).flatMap({ firstOpen(from: $0, of: source) }) else {
      return false
    }
    if open[key] == nil {
      let sources = sources
      guard open.count < Self.openLimit, sources.contains(source) || sources.count < Self.sourceLimit else {
        return false
      }
      var figures = DayFigures(origin: origin)
      guard figures.add(figure, from: origin) else { return false }
      open[key] = figures
      return true
    }
    return open[key]?.add(figure, from: origin) ?? false
  }

  /// The clock showed this moment.
  func clockShowed(_ moment: Date, in zone: TimeZone) -> [Action] {
    guard let today = CalendarDay(of: moment, in: zone) else { return [] }
    return open.filter { key, _ in
      key.day < today || key.day.number > today.number + Self.horizon
    }.sorted { $0.key < $1.key }.map { key, figures in .keep(key, figures.payload(of: key.day)) }
  }

  /// The payload of a day is kept: the day is closed.
  mutating func payloadKept(_ key: Key) {
    open[key] = nil
    var days = closed[key.source] ?? []
    guard !days.contains(key.day) else { return }
    days.append(key.day)
    closed[key.source] = Array(days.suffix(Self.memory))
  }

  /// The sources that ever recorded something.
  private var sources: Set<String> { Set(closed.keys).union(open.keys.map(\.source)) }

  /// The day or the first one after it that is not closed.
  private func firstOpen(from day: CalendarDay, of source: String) -> Key? {
    let closed = closed[source] ?? []
    var day: CalendarDay? = day
    while let candidate = day, closed.contains(candidate) { day = CalendarDay(number: candidate.number + 1) }
    return day.map { Key(day: $0, source: source) }
  }
}

extension DayLedger: Codable {
  private enum CodingKeys: CodingKey {
    case format, open, closed
  }

  private static let format = 1

  private struct OpenDay: Codable {
    let day: Key
    let figures: DayFigures
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let days = try container.decode([OpenDay].self, forKey: .open)
    closed = try container.decode([String: [CalendarDay]].self, forKey: .closed)
    guard try container.decode(Int.self, forKey: .format) == Self.format,
      days.allSatisfy({ $0.figures.isSound && PayloadSource.isSound($0.day.source) }),
      Set(days.map(\.day)).count == days.count
    else {
      throw DecodingError.dataCorruptedError(forKey: .open, in: container, debugDescription: "no such days")
    }
    open = Dictionary(uniqueKeysWithValues: days.map { ($0.day, $0.figures) })
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Self.format, forKey: .format)
    try container.encode(
      open.sorted { $0.key < $1.key }.map { OpenDay(day: $0.key, figures: $0.value) }, forKey: .open)
    try container.encode(closed, forKey: .closed)
  }
}
