package import TerminalUI

/// What the environment says about the terminal: a value, so that every case of it is tested.
package struct TerminalKind: Hashable, Sendable {
  /// The terminfo entry to use.
  package let name: String
  package let isUTF8: Bool
  private let environment: [String: String]

  /// Reads `TERM`; refuses what cannot be a usable terminal before ncurses sees it.
  package init(environment: [String: String], isUTF8: Bool) throws(TerminalError) {
    guard let name = environment["TERM"], !name.isEmpty else { throw .typeUnset }
    let letters = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-._")
    // A name is part of a path in the database: nothing else may get in.
    guard name.count <= 128, !name.hasPrefix("."), name.allSatisfy({ letters.contains($0) }) else {
      throw .typeUnknown(SafeText.sanitized(String(name.prefix(40))))
    }
    guard name != "dumb", name != "unknown" else { throw .typeTooPoor(name) }
    self.name = name
    self.isUTF8 = isUTF8
    self.environment = environment
  }

  /// Whether the terminal says that it shows colours of 24 bits.
  package var claimsTrueColor: Bool {
    let claim = environment["COLORTERM"]?.lowercased() ?? ""
    return claim == "truecolor" || claim == "24bit" || name.hasSuffix("-direct")
  }

  /// The entry that makes ncurses send colours of 24 bits, where the terminal shows them.
  package var directName: String? {
    guard claimsTrueColor, !wantsNoColor else { return nil }
    if name.hasSuffix("-direct") { return name }
    return name.hasSuffix("-256color") ? String(name.dropLast(9)) + "-direct" : name + "-direct"
  }

  /// `NO_COLOR` with any text in it.
  private var wantsNoColor: Bool { !(environment["NO_COLOR"] ?? "").isEmpty }

  /// Signs and characters that the terminal is trusted with.
  /// - Parameter colors: how many colours terminfo gives; less than 8 is none.
  package func capabilities(colors: Int) -> Capabilities {
    Capabilities(depth: depth(colors: colors), glyphs: glyphs, repertoire: isUTF8 ? .unicode : .ascii)
  }

  private func depth(colors: Int) -> ColorDepth {
    if wantsNoColor || colors < 8 { return .none }
    if colors > 256 { return .trueColor }
    return colors >= 256 ? .indexed256 : .indexed16
  }

  /// The Linux console has 512 signs and no braille among them; old terminals have none of either.
  private var glyphs: GlyphTier {
    guard isUTF8 else { return .ascii }
    if name == "linux" || name.hasPrefix("linux-") { return .blocks }
    let old = ["vt52", "vt100", "vt102", "vt220", "vt320", "vt420", "ansi", "cons25", "sun"]
    return old.contains(name) ? .ascii : .braille
  }

  /// Whether private modes of xterm (mouse, paste, synchronized output) may be sent.
  package var knowsPrivateModes: Bool {
    let families = [
      "xterm", "screen", "tmux", "rxvt", "konsole", "gnome", "vte", "kitty", "alacritty", "foot", "wezterm",
      "ghostty", "iterm", "st", "contour", "mintty", "putty",
    ]
    return families.contains { name == $0 || name.hasPrefix($0 + "-") || name.hasPrefix($0 + ".") }
      || name.hasPrefix("rxvt")
  }
}
