import Codecs
import Platform

/// A moment on a command line.
enum TimeArgument {
  static let expected = "a time such as 2026-11-21T14:32:00Z, 2026-11-21, -15m, 2h, 30d or seconds since 2001"

  /// Reads a moment: ISO 8601 (UTC without a zone), an age (`15m`, with or without a minus), seconds since 2001
  /// as in a file, or whatever else the dashboard accepts as a time, in UTC as well.
  ///
  /// - Parameters:
  ///   - text: The text of the user.
  ///   - now: The present, from which ages count back.
  /// - Returns: `nil` if the text is none of these.
  static func moment(_ text: String, now: Timestamp) -> Timestamp? {
    if let seconds = Double(text), seconds.isFinite { return Timestamp(seconds) }
    let context = MomentParser.Context(now: now, playhead: now, latest: now, offset: { _ in 0 })
    switch MomentParser.meaning(text, in: context) {
    case .live: return now
    case .moment(let moment): return moment
    case nil: return nil
    }
  }

  /// An age such as `90s`, `15m`, `2h`, `30d` or `2w`, in seconds.
  static func age(_ text: String) -> Double? {
    MomentParser.length(text.hasPrefix("-") ? text.dropFirst() : text[...])
  }
}
