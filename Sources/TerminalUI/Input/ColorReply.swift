/// The answer of a terminal to the query of 24-bit colors.
///
/// `COLORTERM` gets lost on the way through ssh and sudo. Two questions, because no terminal knows all: for the capability
/// `RGB` (XTGETTCAP), and for the colors that are set (DECRQSS) after a background of 24 bits.
package enum ColorReply {
  /// The questions; each may be answered by itself.
  package static let question =
    "\u{1B}P+q524742\u{1B}\\" + "\u{1B}[48;2;1;2;3m\u{1B}P$qm\u{1B}\\\u{1B}[m"
  /// How many answers may come.
  package static let answerCount = 2

  /// True if an answer, without what begins and ends it, says that the terminal shows 24-bit colors: `1+r524742=38`, or
  /// `1$r0;48:2::1:2:3m`.
  package static func showsTrueColor(_ bytes: some Collection<UInt8>) -> Bool {
    guard bytes.count <= longest else { return false }
    let text = String(decoding: bytes, as: UTF8.self)
    if text == "1+r524742" || text.hasPrefix("1+r524742=") { return true }
    let settings = text.replacing(";", with: ":")
    return settings.contains("$r") && settings.contains("48:2:") && settings.hasSuffix(":1:2:3m")
  }

  /// No answer is longer, in bytes.
  private static let longest = 128
}
