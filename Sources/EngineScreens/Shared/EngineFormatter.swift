import Codecs

/// Wording shared by the screens of all engines.
enum EngineFormatter {
  /// `1 time`, `2 times`; `2 batches` with an explicit plural.
  static func count(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(NumberFormat.count(count)) \(count == 1 ? noun : plural ?? noun + "s")"
  }
}
