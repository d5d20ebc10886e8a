extension Style: CustomStringConvertible {
  /// The SGR escape sequence that switches from any style to this one.
  package func escape(depth: ColorDepth) -> String {
    var codes = ["0"]
    for (attribute, code) in Style.attributeCodes where attributes.contains(attribute) {
      codes.append(code)
    }
    codes += foreground.codes(depth: depth, isBackground: false)
    codes += background.codes(depth: depth, isBackground: true)
    return "\u{1B}[" + codes.joined(separator: ";") + "m"
  }

  private static let attributeCodes: [(Attributes, String)] = [
    (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underline, "4"), (.reverse, "7"),
  ]

  /// The style in words, for expected screens in tests.
  package var description: String {
    let names: [(Attributes, String)] = [
      (.bold, "bold"), (.dim, "dim"), (.italic, "italic"), (.underline, "underline"),
      (.reverse, "reverse"),
    ]
    var words: [String] = []
    if foreground != .standard { words.append(foreground.description) }
    if background != .standard { words.append("on " + background.description) }
    words += names.filter { attributes.contains($0.0) }.map(\.1)
    return words.isEmpty ? "plain" : words.joined(separator: " ")
  }
}

extension Color: CustomStringConvertible {
  /// The color in words: `standard`, `palette 3`, `#0a141e`.
  package var description: String {
    switch kind {
    case .standard: return "standard"
    case .palette(let index): return "palette \(index)"
    case .rgb: return hex
    }
  }

  /// The color in HTML notation; the usual values for the terminal's own colors.
  package var hex: String {
    let (red, green, blue) = components
    func pair(_ value: UInt8) -> String {
      (value < 16 ? "0" : "") + String(value, radix: 16)
    }
    return "#" + pair(red) + pair(green) + pair(blue)
  }

  /// Red, green and blue; xterm's values for the 256 colors, black for the standard color.
  package var components: (red: UInt8, green: UInt8, blue: UInt8) {
    switch kind {
    case .standard: return (0, 0, 0)
    case .rgb(let red, let green, let blue): return (red, green, blue)
    case .palette(let index) where index < 16: return Color.basic[Int(index)]
    case .palette(let index) where index < 232:
      let steps: [UInt8] = [0, 95, 135, 175, 215, 255]
      let cube = Int(index) - 16
      return (steps[cube / 36], steps[cube / 6 % 6], steps[cube % 6])
    case .palette(let index):
      let level = 8 + 10 * (index - 232)
      return (level, level, level)
    }
  }

  private static let basic: [(red: UInt8, green: UInt8, blue: UInt8)] = [
    (0, 0, 0), (205, 49, 49), (13, 188, 121), (229, 229, 16), (36, 114, 200), (188, 63, 188),
    (17, 168, 205), (229, 229, 229), (102, 102, 102), (241, 76, 76), (35, 209, 139), (245, 245, 67),
    (59, 142, 234), (214, 112, 214), (41, 184, 219), (255, 255, 255),
  ]

  /// The color as this depth can show it.
  package func reduced(to depth: ColorDepth) -> Color {
    switch (depth, kind) {
    case (.none, _): return .standard
    case (.trueColor, _), (_, .standard): return self
    case (.indexed256, _): return indexed256
    case (.indexed16, .palette(let index)) where index < 16: return self
    case (.indexed16, _): return indexed16
    }
  }

  private var indexed16: Color {
    let (red, green, blue) = components
    func distance(_ index: Int) -> Int {
      let other = Color.basic[index]
      let (dr, dg, db) = (
        Int(red) - Int(other.red), Int(green) - Int(other.green), Int(blue) - Int(other.blue)
      )
      return dr * dr + dg * dg + db * db
    }
    return .palette(UInt8((0..<16).min { distance($0) < distance($1) } ?? 7))
  }

  fileprivate func codes(depth: ColorDepth, isBackground: Bool) -> [String] {
    switch reduced(to: depth).kind {
    case .standard: return []
    case .palette(let index) where index < 8: return ["\((isBackground ? 40 : 30) + Int(index))"]
    case .palette(let index) where index < 16: return ["\((isBackground ? 100 : 90) + Int(index) - 8)"]
    case .palette(let index): return [isBackground ? "48" : "38", "5", "\(index)"]
    case .rgb(let red, let green, let blue):
      return [isBackground ? "48" : "38", "2", "\(red)", "\(green)", "\(blue)"]
    }
  }
}
