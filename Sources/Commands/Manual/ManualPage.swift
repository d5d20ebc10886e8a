/// A page of the manual, as source of `man(7)`.
struct ManualPage {
  /// Columns of a source line.
  private static let width = 78

  /// The name of the page's file, such as `mistertop.1`.
  var fileName: String { "\(name).\(section)" }

  let name: String
  private let section: Int
  private(set) var source: String
  private var isAtHeading = false

  /// - Parameters:
  ///   - purpose: A few words without a period.
  ///   - date: The day of the text.
  init(_ name: String, section: Int, purpose: String, date: String, version: String) {
    (self.name, self.section) = (name, section)
    let volume = section == 1 ? "User Commands" : "File Formats"
    source = """
      .TH \(Self.escaped(name.uppercased())) \(section) \(date) "mistertop \(version)" "\(volume)"
      .SH NAME
      \(Self.escaped(name)) \\-
      \(Self.lines(purpose))
      """
  }

  mutating func heading(_ title: String) {
    source += ".SH \(title)\n"
    isAtHeading = true
  }

  mutating func paragraph(_ text: String) { source += space + Self.lines(text) }

  /// The space before a paragraph; none below a heading.
  private var space: String {
    mutating get {
      defer { isAtHeading = false }
      return isAtHeading ? "" : ".PP\n"
    }
  }

  /// A term, and what is to say about it below.
  ///
  /// - Parameter term: In bold up to a placeholder, which follows an equals sign or is in capitals.
  mutating func item(_ term: String, _ text: String) {
    isAtHeading = false
    source += ".TP\n\(Self.styled(term))\n" + Self.lines(text)
  }

  /// A command line, and its purpose.
  mutating func example(_ example: CommandExample) {
    source +=
      space + "\(Self.escaped(example.purpose)):\n.PP\n.RS 4\n.nf\n\(Self.escaped(example.line))\n.fi\n.RE\n"
  }

  private static func lines(_ text: String) -> String {
    WordWrap.lines(text, width: width * 3 / 4).map { escaped($0) + "\n" }.joined()
  }

  /// A command line or an option: capitals, which stand for something else, in italics, all else in bold.
  private static func styled(_ term: String) -> String {
    term.split(separator: " ", omittingEmptySubsequences: false).map { word in
      word.split(separator: "=", omittingEmptySubsequences: false).map { part in
        let isPlaceholder = part.contains(where: \.isLetter) && !part.contains(where: \.isLowercase)
        let isSign = !part.contains { $0.isLetter || $0.isNumber || $0 == "-" }
        return isSign
          ? escaped(String(part)) : (isPlaceholder ? "\\fI" : "\\fB") + escaped(String(part)) + "\\fR"
      }.joined(separator: "=")
    }.joined(separator: " ")
  }

  /// Text without a meaning for the formatter.
  static func escaped(_ text: String) -> String {
    let plain = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\\": "\\e"
      case "-": "\\-"
      case "'": "\\(aq"
      case "`": "\\(ga"
      case "^": "\\(ha"
      case "~": "\\(ti"
      case "\"": "\\(dq"
      case _ where scalar.isASCII: String(scalar)
      default: "\\[u" + hexadecimal(scalar.value) + "]"
      }
    }.joined()
    return plain.hasPrefix(".") ? "\\&" + plain : plain
  }

  /// At least four digits, as the formatter requires.
  private static func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

extension ManualPage {
  /// The synopsis of a command.
  mutating func synopsis(_ lines: [String]) {
    heading("SYNOPSIS")
    isAtHeading = false
    for (place, line) in lines.enumerated() {
      source += (place > 0 ? ".br\n" : "") + Self.styled(line) + "\n"
    }
  }
}
