package import Aggregation
package import Codecs

extension SeriesValue {
  /// The value as text.
  package var words: String {
    switch self {
    case .number(let value): return NumberFormat.significant(value)
    case .bool(let value): return value ? "true" : "false"
    case .text(let text): return text.isEmpty ? "\"\"" : text
    case .null: return "null"
    }
  }

  /// The value for the clipboard: a number with all its digits and its unit.
  package func exactWords(_ unit: ValueUnit) -> String {
    if case .number(let value) = self { unit.exactText(value) } else { words }
  }
}
