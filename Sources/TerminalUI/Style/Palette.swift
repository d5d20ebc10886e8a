/// The colors of a theme, before the terminal's color depth is known.
struct Palette {
  /// One role's style at the color depths that differ; 256 colors are derived from 24 bits.
  struct Look {
    var color: Color = .standard
    var basic: Color = .standard
    var attributes: Style.Attributes = []
    /// Attributes that make the difference without colors.
    var plain: Style.Attributes = []
    var background: Color = .standard
    var basicBackground: Color = .standard
  }

  /// Colors from the lowest value to the highest.
  struct Scale {
    let low: Color
    let high: Color
    /// Colors of the lower and upper half with sixteen colors.
    let basic: (Color, Color)
    var plain: Style.Attributes = []

    static let steps = 8

    func styles(depth: ColorDepth) -> [Style] {
      (0..<Self.steps).map { step in
        switch depth {
        case .trueColor: Style(foreground: color(step))
        case .indexed256: Style(foreground: color(step).indexed256)
        case .indexed16: Style(foreground: step < Self.steps / 2 ? basic.0 : basic.1)
        case .none: Style(attributes: plain)
        }
      }
    }

    private func color(_ step: Int) -> Color {
      low.mixed(with: high, Double(step) / Double(Self.steps - 1))
    }
  }

  /// The name shown to users.
  let name: String
  /// Background and text color of the terminals it is made for; neither is drawn.
  let background: Color
  let foreground: Color
  /// Colors by height on the axis, and by distance beyond a limit.
  let height: Scale
  let excess: Scale
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

  /// All palettes, in the order in which a person cycles through them.
  static let all: [Palette] = [.dark, .night, .highContrast, .light, .paper]

  /// The palette with a name; the dark one if there is none.
  static func named(_ name: String) -> Palette { all.first { $0.name == name } ?? .dark }
}

extension Color {
  /// A mix of this color and another.
  ///
  /// - Parameter share: The share of the other color, from 0 to 1.
  func mixed(with other: Color, _ share: Double) -> Color {
    let (from, to) = (components, other.components)
    func mix(_ start: UInt8, _ end: UInt8) -> UInt8 {
      UInt8(max(0, min(255, (Double(start) + (Double(end) - Double(start)) * share).rounded())))
    }
    return .rgb(mix(from.red, to.red), mix(from.green, to.green), mix(from.blue, to.blue))
  }

  /// The nearest of the 256 colors.
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
