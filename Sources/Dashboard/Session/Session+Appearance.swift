package import TerminalUI

// How the screen is drawn, while it runs.
extension Session {
  mutating func setGlyphs(_ tier: GlyphTier) {
    guard tier == .ascii || theme.capabilities.repertoire == .unicode else {
      return showToast("This terminal's locale supports only ASCII")
    }
    var capabilities = theme.capabilities
    capabilities.glyphs = tier
    adopt(capabilities)
    showToast("Glyphs: \(tier.rawValue)")
  }

  mutating func setColors(_ depth: ColorDepth) {
    var capabilities = theme.capabilities
    capabilities.depth = depth
    adopt(capabilities)
    showToast("Colors: \(depth.name)")
  }

  mutating func nextGlyphs() { setGlyphs(theme.glyphs.next) }

  mutating func nextColors() { setColors(theme.capabilities.depth.next) }

  private mutating func adopt(_ capabilities: Capabilities) {
    theme = Theme(name: theme.name, capabilities: capabilities)
  }
}

extension CaseIterable where Self: Equatable {
  /// The case after this one, the first after the last.
  fileprivate var next: Self {
    let all = Array(Self.allCases)
    let place = all.firstIndex(of: self) ?? 0
    return all[(place + 1) % all.count]
  }
}

extension ColorDepth {
  /// As on the command line.
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
