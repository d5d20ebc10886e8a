import Essentials

extension SyncValue: CustomStringConvertible {
  /// The value as JSON text.
  public var description: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let json = try? encoder.encode(self) else { return "not a number" }
    return String(decoding: json, as: UTF8.self)
  }
}
