/// Colours of a theme, before the terminal's depth is known.
struct Palette {
  /// One role's look at the depths that differ; 256 colours follow from 24 bits.
  struct Look {
    var color: Color = .standard
    var basic: Color = .standard
    var attributes: Style.Attributes = []
    /// Attributes that carry the difference where colours cannot.
    var plain: Style.Attributes = []
    var background: Color = .standard
    var basicBackground: Color = .standard
  }

  /// What the person calls it.
  let name: String
  /// The background and the text colour of the terminals it is made for; neither is drawn.
  let background: Color
  let foreground: Color
  let looks: [Role: Look]

  func style(of role: Role, depth: ColorDepth) -> Style {
    let look = looks[role] ?? Look()
    switch depth {
    case .trueColor:
      return Style(foreground: look.color, background: look.background, attributes: look.attributes)
    case .indexed256:
      return Style(
        foreground: look.color.indexed256, background: look.background.indexed256,
        attributes: look.attributes)
    case .indexed16:
      return Style(
        foreground: look.basic, background: look.basicBackground, attributes: look.attributes)
    case .none:
      return Style(attributes: look.plain)
    }
  }

  /// All that there are, in the order in which a person goes through them.
  static let all: [Palette] = [.dark, .night, .highContrast, .light, .paper]

  /// The palette of that name; the dark one when there is none.
  static func named(_ name: String) -> Palette { all.first { $0.name == name } ?? .dark }
}

extension Color {
  /// The nearest of the 256 colours.
  package var indexed256: Color {
    guard case .rgb(let red, let green, let blue) = kind else { return self }
    let steps = [0, 95, 135, 175, 215, 255]
    func nearest(_ value: Int) -> Int {
      steps.indices.min { abs(steps[$0] - value) < abs(steps[$1] - value) } ?? 0
    }
    func distance(_ r: Int, _ g: Int, _ b: Int) -> Int {
      let (dr, dg, db) = (r - Int(red), g - Int(green), b - Int(blue))
      return dr * dr + dg * dg + db * db
    }
    let (r, g, b) = (nearest(Int(red)), nearest(Int(green)), nearest(Int(blue)))
    let grey = max(0, min(23, ((Int(red) + Int(green) + Int(blue)) / 3 - 3) / 10))
    let level = 8 + 10 * grey
    if distance(level, level, level) < distance(steps[r], steps[g], steps[b]) {
      return .palette(UInt8(232 + grey))
    }
    return .palette(UInt8(16 + 36 * r + 6 * g + b))
  }
}
