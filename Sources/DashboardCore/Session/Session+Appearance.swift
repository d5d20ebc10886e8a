package import TerminalUI

// Changes to the appearance of the screen while it runs.
extension Session {
  package mutating func setGlyphs(_ tier: GlyphTier) {
    if tier != .ascii, let reason = theme.capabilities.repertoire.reasonAgainstSigns {
      return showToast(reason)
    }
    followsGlyphs = false
    var capabilities = theme.capabilities
    capabilities.glyphs = tier
    adopt(capabilities)
    showToast("Glyphs: \(tier.rawValue)")
  }

  package mutating func setColors(_ depth: ColorDepth) {
    followsColors = false
    if let refusal = theme.capabilities.refusal(of: depth) { return showToast(refusal) }
    showColors(depth)
    showToast("Colors: \(depth.name)")
  }

  /// Adopts the colors that the terminal reports, unless the user chose others.
  package mutating func followTrueColor() {
    guard followsColors, theme.capabilities.deepest == .trueColor else { return }
    showColors(.trueColor)
  }

  /// Adopts signs of ASCII on a terminal that draws others in more or fewer columns than they have, unless the user
  /// chose them.
  package mutating func followUnevenSigns() {
    guard theme.glyphs != .ascii else { return }
    guard followsGlyphs else {
      return showToast("This terminal draws lines and bars two columns wide: --ascii suits it")
    }
    var capabilities = theme.capabilities
    (capabilities.glyphs, capabilities.repertoire) = (.ascii, .evenWidth)
    adopt(capabilities)
    showToast("ASCII signs: this terminal draws lines and bars two columns wide")
  }

  private mutating func showColors(_ depth: ColorDepth) {
    var capabilities = theme.capabilities
    capabilities.depth = depth
    adopt(capabilities)
  }

  package mutating func nextGlyphs() { setGlyphs(theme.glyphs.next) }

  package mutating func nextColors() {
    let capabilities = theme.capabilities
    // Cycles: after the fewest come the most available.
    setColors(min(capabilities.depth.next, capabilities.deepest))
  }

  private mutating func adopt(_ capabilities: Capabilities) {
    theme = Theme(name: theme.name, capabilities: capabilities)
  }
}

extension CaseIterable where Self: Equatable {
  /// The next case; the first after the last.
  fileprivate var next: Self {
    let all = Array(Self.allCases)
    let place = all.firstIndex(of: self) ?? 0
    return all[(place + 1) % all.count]
  }
}

extension Repertoire {
  /// The reason why there are only signs of ASCII; `nil` if there are others.
  fileprivate var reasonAgainstSigns: String? {
    switch self {
    case .unicode: nil
    case .evenWidth: "This terminal draws lines and bars two columns wide"
    case .ascii: "This terminal's locale supports only ASCII"
    }
  }
}

extension Capabilities {
  /// The reason why a color depth is unavailable; `nil` if it is available.
  package func refusal(of depth: ColorDepth) -> String? {
    depth > deepest ? "No \(depth.words) here: terminfo allows this terminal \(deepest.words)" : nil
  }
}

extension ColorDepth {
  fileprivate var words: String {
    switch self {
    case .trueColor: "24-bit color"
    case .indexed256: "256 colors"
    case .indexed16: "16 colors"
    case .none: "no colors"
    }
  }

  /// The name on the command line.
  package var name: String {
    switch self {
    case .trueColor: "24bit"
    case .indexed256: "256"
    case .indexed16: "16"
    case .none: "none"
    }
  }

  /// All depths by name.
  package static var names: [(name: String, choice: ColorDepth)] { allCases.map { ($0.name, $0) } }

  /// The depth of a name; `nil` where there is none.
  package init?(name: String) {
    guard let depth = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = depth
  }
}
