/// Values without a number as expressions over the table `samples`: texts, bools, nulls, and JSON without fields.
///
/// Each has a mark: 0 for a text or JSON, 1 for a bool, 2 for a null.
enum Words {
  /// Bytes of a text that tell it apart, as in a `TextTable` with some to spare.
  private static let bytes = 128

  /// True for a sample that is its only word: with neither numbers nor labels.
  private static let isPlain = "empty(numbers.name) AND empty(labels.name)"

  /// The words of each sample as `field` and `v`.
  static let join =
    "ARRAY JOIN if(\(isPlain), [''], labels.name) AS field,"
    + " if(\(isPlain), [if(kind = \(StoredKind.null), '', json)], labels.value) AS v"

  static let mark =
    "toUInt8(multiIf(kind = \(StoredKind.bool) OR kind = \(StoredKind.object) AND v IN ('true', 'false'), 1,"
    + " kind = \(StoredKind.null), 2, 0))"

  static let word = "substring(v, 1, \(bytes))"
}
