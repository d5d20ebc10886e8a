import CDemangle
import Essentials

/// Turns the names that linkers use into those in the source.
package enum SwiftDemangler {
  /// Maximum bytes of a name; longer ones stay as they are, because names come from files.
  private static let limit = 4_096
  private static let prefixes = ["$s", "_$s", "$S", "_$S", "_T0", "__T0", "$e", "_$e"]

  /// The name in the source of a Swift function; any other name as it is.
  package static func name(of symbol: String) -> String {
    guard symbol.utf8.count <= limit, prefixes.contains(where: { symbol.hasPrefix($0) }) else {
      return symbol
    }
    guard let text = swift_demangle(symbol, symbol.utf8.count, nil, nil, 0) else { return symbol }
    defer { free(text) }
    return String(validatingCString: text) ?? symbol
  }
}
