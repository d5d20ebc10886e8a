/// A waiting payload in the folder of a recorder, identified by its file name.
enum PayloadFile: Hashable, Comparable, Sendable {
  case metric(DayLedger.Key)
  case diagnostic(Int)

  /// The file with a name; `nil` if no recorder uses such a name.
  init?(name: String) {
    guard name.hasSuffix(Self.ending) else { return nil }
    let parts = name.dropLast(Self.ending.count).split(
      separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let rest = parts[1]
    switch parts[0] {
    case "metric":
      guard rest.count > 11, let day = CalendarDay(String(rest.prefix(10))) else { return nil }
      guard let source = Self.unescaped(rest.dropFirst(11)), PayloadSource.isSound(source) else { return nil }
      self = .metric(DayLedger.Key(day: day, source: source))
    case "diagnostic":
      guard let number = Int(rest), number > 0 else { return nil }
      self = .diagnostic(number)
    default: return nil
    }
    // Any other spelling would be a second file for the same payload.
    guard self.name == name else { return nil }
  }

  /// The name: `metric-2022-11-14-app.json`, `diagnostic-000001.json`.
  var name: String {
    switch self {
    case .metric(let key): "metric-\(key.day.text)-\(Self.escaped(key.source))\(Self.ending)"
    case .diagnostic(let number):
      "diagnostic-\(String(repeating: "0", count: max(0, 6 - String(number).count)))\(number)\(Self.ending)"
    }
  }

  /// Orders diagnostics by number, metrics by day and source.
  static func < (first: Self, second: Self) -> Bool {
    switch (first, second) {
    case (.diagnostic(let first), .diagnostic(let second)): first < second
    case (.metric(let first), .metric(let second)): first < second
    case (.diagnostic, .metric): true
    case (.metric, .diagnostic): false
    }
  }

  private static let ending = ".json"

  /// A source as part of a file name, distinct even on case-insensitive disks: only lowercase letters and digits stay.
  private static func escaped(_ text: String) -> String {
    text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        String(UnicodeScalar(byte))
      default: (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
      }
    }.joined()
  }

  private static func unescaped(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let value = Substring(rest.prefix(2)).hexadecimal else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

extension Substring {
  fileprivate var hexadecimal: UInt8? { UInt8(self, radix: 16) }
}
