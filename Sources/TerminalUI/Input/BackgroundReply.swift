/// The terminal's reply to the query for its background color (OSC 11).
package enum BackgroundReply {
  /// The query.
  package static let question = "\u{1B}]11;?\u{1B}\\"

  /// The color in a reply, without its introducer and terminator: `11;rgb:1e1e/1e1e/1e1e`; `nil` for anything else.
  ///
  /// Supports the XParseColor forms that terminals use: `rgb:` and `rgba:` with one to four digits, and `#rrggbb`.
  package static func color(_ bytes: some Collection<UInt8>) -> Color? {
    guard bytes.count <= longest else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.hasPrefix("11;") else { return nil }
    let value = text.dropFirst(3)
    if value.first == "#" { return plain(value.dropFirst()) }
    guard let colon = value.firstIndex(of: ":"), ["rgb", "rgba"].contains(value[..<colon]) else { return nil }
    let parts = value[value.index(after: colon)...].split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == (value.hasPrefix("rgba") ? 4 : 3) else { return nil }
    let channels = parts.map(channel)
    guard let red = channels[0], let green = channels[1], let blue = channels[2] else { return nil }
    return .rgb(red, green, blue)
  }

  /// True if the variable `COLORFGBG` means a light background: its last part is one of the sixteen colors; `nil` if it
  /// is inconclusive.
  package static func isLight(colorFGBG text: String?) -> Bool? {
    guard let last = text?.split(separator: ";", omittingEmptySubsequences: false).last,
      let index = UInt8(last),
      index < 16
    else { return nil }
    // 7 is light gray, which was once white; 8 is dark gray.
    return index == 7 || index > 8
  }

  /// Maximum length of a reply, in bytes.
  private static let longest = 64

  private static func plain(_ digits: Substring) -> Color? {
    guard [3, 6, 9, 12].contains(digits.count) else { return nil }
    let width = digits.count / 3
    let channels = (0..<3).map { place in
      let start = digits.index(digits.startIndex, offsetBy: place * width)
      return channel(digits[start..<digits.index(start, offsetBy: width)])
    }
    guard let red = channels[0], let green = channels[1], let blue = channels[2] else { return nil }
    return .rgb(red, green, blue)
  }

  /// One to four hexadecimal digits as eight bits.
  private static func channel(_ digits: Substring) -> UInt8? {
    guard (1...4).contains(digits.count), digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
      let value = Int(digits, radix: 16)
    else { return nil }
    let most = (1 << (4 * digits.count)) - 1
    return UInt8(clamping: (value * 255 + most / 2) / most)
  }
}

extension Color {
  /// True if dark text is easier to read on it than light text.
  ///
  /// At a luminance of 0.179 black and white have the same contrast.
  package var isLight: Bool { luminance > 0.179 }
}
