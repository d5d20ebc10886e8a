import Symbolication
import TerminalUI

extension [MissingSymbols.Module] {
  /// Maximum builds listed by name.
  private static var limit: Int { 12 }

  /// The builds, and what waits for their symbols, one a line and safe to print on a terminal.
  var lines: [String] {
    let lines = prefix(Self.limit).map { module in
      let name = module.name.isEmpty ? "(no name)" : module.name
      let waiting = [
        module.crashes > 0 ? Plural.count(module.crashes, "crash", "crashes") : nil,
        module.others > 0 ? Plural.count(module.others, "other diagnostic") : nil,
      ].compactMap { $0 }.joined(separator: ", ")
      return SafeText.truncated(SafeText.sanitized("\(name) \(module.uuid): \(waiting)"), to: 100)
    }
    return lines + (count > lines.count ? ["and \(count - lines.count) more"] : [])
  }
}
