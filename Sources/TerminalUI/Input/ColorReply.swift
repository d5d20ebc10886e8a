/// The terminal's reply to the query for 24-bit colors.
///
/// `COLORTERM` gets lost on the way through ssh and sudo. Two queries, because no single one is universal: for the
/// capability `RGB` (XTGETTCAP), and for the current colors (DECRQSS) after setting a 24-bit background.
package enum ColorReply {
  /// The queries; each may be answered separately.
  package static let question =
    "\u{1B}P+q524742\u{1B}\\" + "\u{1B}[48;2;1;2;3m\u{1B}P$qm\u{1B}\\\u{1B}[m"

  /// True if a reply, without its introducer and terminator, says that the terminal shows 24-bit colors:
  /// `1+r524742=38`, or `1$r0;48:2::1:2:3m`.
  package static func showsTrueColor(_ bytes: some Collection<UInt8>) -> Bool {
    guard bytes.count <= longest else { return false }
    let text = String(decoding: bytes, as: UTF8.self)
    if text == "1+r524742" || text.hasPrefix("1+r524742=") { return true }
    let settings = text.replacing(";", with: ":")
    return settings.contains("$r") && settings.contains("48:2:") && settings.hasSuffix(":1:2:3m")
  }

  /// Maximum length of a reply, in bytes.
  private static let longest = 128
}
