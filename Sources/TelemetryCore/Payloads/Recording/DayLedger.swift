import Essentials

/// Decides which figures make up which payload, without a clock or a disk.
///
/// - A figure belongs to the calendar day that the wall clock showed, in the time zone of that moment.
/// - A day is closed once the clock shows a later one, or the app asks for it. Its figures form one payload, whatever their zones and
///   versions. A day without figures has none.
/// - A closed day is never reopened, because its payload may already have been delivered: figures that a clock set
///   back, or a flight to the west, would add to it go to the next day that is not closed.
/// - An open day more than a week ahead of the clock was opened by a wrong clock; it is closed as it is.
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
    /// Keep the payload of a day and report it with ``payloadKept(_:)``; until then the day stays open.
    case keep(Key, MetricPayload)
  }

  /// Maximum number of closed days remembered per source; a clock set back further causes duplicate payloads.
  static let memory = 400
  /// Maximum number of open days of all sources; more than one only if the clock moves or the disk fails.
  static let openLimit = 400
  /// Maximum number of sources.
  static let sourceLimit = 100
  /// Maximum number of days that an open day may be ahead of the clock.
  static let horizon = 7

  private(set) var open: [Key: DayFigures] = [:]
  /// The closed days of each source, in the order of closing.
  private var closed: [String: [CalendarDay]] = [:]

  /// Adds a recorded figure.
  ///
  /// - Returns: False if there was no room for it, or a payload cannot express its day.
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

  /// Decides which days to close at this clock reading.
  ///
  /// - Parameter closesToday: Whether the day that the clock shows is closed too.
  func clockShowed(_ moment: Date, in zone: TimeZone, closesToday: Bool = false) -> [Action] {
    guard let today = CalendarDay(of: moment, in: zone) else { return [] }
    return open.filter { key, _ in
      key.day < today || closesToday && key.day == today || key.day.number > today.number + Self.horizon
    }.sorted { $0.key < $1.key }.map { key, figures in .keep(key, figures.payload(of: key.day)) }
  }

  /// Closes a day whose payload is kept.
  mutating func payloadKept(_ key: Key) {
    open[key] = nil
    var days = closed[key.source] ?? []
    guard !days.contains(key.day) else { return }
    days.append(key.day)
    closed[key.source] = Array(days.suffix(Self.memory))
  }

  /// The sources that have recorded figures.
  private var sources: Set<String> { Set(closed.keys).union(open.keys.map(\.source)) }

  /// The first day from this one on that is not closed.
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
