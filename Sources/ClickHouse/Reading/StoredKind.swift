import JSONLines

/// Kinds of samples as the column `kind` has them.
enum StoredKind {
  static let number = SampleKind.number.rawValue
  static let wideInteger = SampleKind.wideInteger.rawValue
  static let bool = SampleKind.bool.rawValue
  static let null = SampleKind.null.rawValue
  static let object = SampleKind.object.rawValue
  static let array = SampleKind.array.rawValue
}
