/// English names of months and days in written times, recognized by their first three letters.
package enum CalendarName {
  package static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  package static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  private static let monthKeys = months.map { key(Array($0.utf8)) }
  private static let dayKeys = days.map { key(Array($0.utf8)) }

  /// The number of a month, from 1; `nil` for other words.
  package static func month(_ word: some Collection<UInt8>) -> Int? {
    guard (3...9).contains(word.count) else { return nil }
    return monthKeys.firstIndex(of: key(word)).map { $0 + 1 }
  }

  package static func isDay(_ word: some Collection<UInt8>) -> Bool {
    (3...9).contains(word.count) && dayKeys.contains(key(word))
  }

  /// The first three letters in lower case as one number.
  private static func key(_ word: some Collection<UInt8>) -> UInt32 {
    word.prefix(3).reduce(0) { $0 << 8 | UInt32($1 | 0x20) }
  }
}
