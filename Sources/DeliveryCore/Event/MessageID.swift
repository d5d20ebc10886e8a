public import Essentials

/// The ids by which a server recognizes an event that comes twice.
///
/// An id is the epoch milliseconds of the event's creation, a hyphen and a UUID in small letters. It is made once and stays
/// the same over retries and restarts.
public enum MessageID {
  /// A new id for an event of this moment.
  package static func make(at date: Date, using generator: inout some RandomNumberGenerator) -> String {
    // Zero and less would make no valid id.
    String(max(1, EventTime.milliseconds(date))) + "-" + UUIDText.make(using: &generator)
  }

  /// When the event with this id was made; `nil` for a text that is no id.
  public static func creationDate(of id: String) -> Date? {
    milliseconds(of: id).map { Date(timeIntervalSince1970: Double($0) / 1000) }
  }

  /// True if a text is an id: a positive number of milliseconds and the five parts of a UUID.
  public static func isValid(_ id: String) -> Bool { milliseconds(of: id) != nil }

  private static func milliseconds(of id: String) -> Int64? {
    guard let hyphen = id.utf8.firstIndex(of: UInt8(ascii: "-")) else { return nil }
    let digits = id[..<hyphen]
    // A sign would be read as part of the number.
    guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let milliseconds = Int64(digits), milliseconds > 0,
      UUIDText.isValid(id[id.utf8.index(after: hyphen)...])
    else { return nil }
    return milliseconds
  }
}
