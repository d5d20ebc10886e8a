import Codecs
import Essentials

extension PayloadTime {
  /// Parses a time.
  ///
  /// Accepts Apple's two formats, and those of others: ISO 8601 with `T`, `Z`, an offset or a fraction, a day alone,
  /// and seconds or milliseconds since 1970.
  public init?(_ text: String) {
    var scanner = TimeScanner(text)
    guard let year = scanner.number(of: 4), scanner.take("-"),
      let month = scanner.number(of: 2), scanner.take("-"), let day = scanner.number(of: 2)
    else {
      guard let seconds = Double(text) else { return nil }
      self.init(sinceEpoch: seconds)
      return
    }
    guard scanner.take("T") || scanner.take("t") || scanner.take(" ") else {
      guard scanner.isAtEnd else { return nil }
      self.init(year: year, month: month, day: day)
      return
    }
    guard let hour = scanner.number(of: 2), scanner.take(":"), let minute = scanner.number(of: 2) else {
      return nil
    }
    var (second, nanosecond) = (0, 0)
    if scanner.take(":") {
      guard let written = scanner.number(of: 2), let fraction = scanner.fraction() else { return nil }
      (second, nanosecond) = (written, fraction)
    }
    guard let offset = scanner.offset(), scanner.isAtEnd else { return nil }
    self.init(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second, nanosecond: nanosecond,
      secondsFromGMT: offset.seconds)
  }

  /// A moment in UTC, from seconds since 1970 or, if that would be after the year 5000, milliseconds.
  init?(sinceEpoch number: Double) {
    guard number.isFinite else { return nil }
    self.init(Date(timeIntervalSince1970: abs(number) < 1e11 ? number : number / 1e3))
  }
}

extension FieldCodec<PayloadTime> {
  /// A moment in any of the known formats.
  static let time = FieldCodec { json, context in
    switch json {
    case .string(let text):
      guard let time = PayloadTime(text) else { return context.refuse(json, "a moment") }
      if time.description != text { context.note("a moment in a form that is not Apple's") }
      return time
    case .integer, .number:
      context.note("a moment in a form that is not Apple's")
      let number = FieldCodec<Double>.number.read(json, &context)
      return number.flatMap(PayloadTime.init(sinceEpoch:)) ?? context.refuse(json, "a moment")
    case .null, .bool, .unsigned, .wide, .array, .object: return context.refuse(json, "a moment")
    }
  } write: {
    .string($0.description)
  }
}

/// Parses the parts of a moment in order.
private struct TimeScanner {
  private var rest: Substring.UTF8View

  init(_ text: String) {
    rest = text[...].utf8
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ sign: Character) -> Bool {
    guard let byte = sign.asciiValue, rest.first == byte else { return false }
    rest.removeFirst()
    return true
  }

  mutating func number(of count: Int) -> Int? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    rest.removeFirst(count)
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// The nanoseconds of a fraction; 0 if there is none, `nil` if it has no digits.
  mutating func fraction() -> Int? {
    guard take(".") || take(",") else { return 0 }
    let digits = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }
    guard !digits.isEmpty else { return nil }
    rest.removeFirst(digits.count)
    let nine = digits.prefix(9).reduce(0) { $0 * 10 + Int($1 - 0x30) }
    return (digits.count..<max(9, digits.count)).reduce(nine) { value, _ in value * 10 }
  }

  /// The offset of the zone, which may be absent; `nil` if it is not understood.
  mutating func offset() -> (seconds: Int?, Void)? {
    while take(" ") {}
    if take("Z") || take("z") { return (0, ()) }
    if rest.elementsEqual("UTC".utf8) || rest.elementsEqual("GMT".utf8) {
      rest.removeFirst(3)
      return (0, ())
    }
    let isNegative = rest.first == UInt8(ascii: "-")
    guard take("+") || take("-") else { return (nil, ()) }
    guard let hours = number(of: 2) else { return nil }
    _ = take(":")
    let minutes = number(of: 2) ?? 0
    let seconds = hours * 3600 + minutes * 60
    return (isNegative ? -seconds : seconds, ())
  }
}
