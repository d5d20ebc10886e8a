/// The identity of a time series: a metric, or one field of a metric whose values are structs.
package struct SeriesIdentity: Hashable, Sendable {
  /// The namespace; `nil` if the metric has none.
  package let bucket: String?
  /// The metric's name.
  package let name: String
  /// The Swift type name of the metric's values, as in the file.
  package let typeName: String
  /// The field of a struct value that this series follows; `nil` for the value itself.
  package let field: String?

  package init(bucket: String?, name: String, typeName: String, field: String? = nil) {
    self.bucket = bucket
    self.name = name
    self.typeName = typeName
    self.field = field
  }

  /// The name within the bucket: `name` or `name.field`.
  package var label: String { field.map { "\(name).\($0)" } ?? name }

  /// True if the Swift type is a whole-number type.
  package var isWhole: Bool { field == nil && Self.wholeTypes.contains(typeName) }

  private static let wholeTypes: Set<String> = Set(
    ["", "8", "16", "32", "64"].flatMap { ["Int\($0)", "UInt\($0)"] }.flatMap { [$0, "Optional<\($0)>"] })

  /// The identity shared by all series without a row of their own.
  package static let overflow = SeriesIdentity(bucket: nil, name: "(more metrics)", typeName: "")
}

/// Identifies a series within one store.
package struct SeriesID: Hashable, Sendable {
  /// The position in the store, from 0.
  package let rawValue: Int32
  /// Number of earlier series at this position, so that an old ID never refers to another series.
  let generation: Int32

  package init(rawValue: Int32) {
    self.init(index: Int(rawValue), generation: 0)
  }

  init(index: Int, generation: Int32) {
    rawValue = Int32(truncatingIfNeeded: index)
    self.generation = generation
  }

  var index: Int { Int(rawValue) }
}

/// One value of a series.
///
/// The feed splits structs into their fields beforehand.
package enum SeriesValue: Hashable, Sendable {
  case number(Double)
  case bool(Bool)
  case text(String)
  case null

  /// The text or bool as a label; `nil` for other values.
  @inlinable package var label: String? {
    switch self {
    case .text(let text): text
    case .bool(let claim): claim ? "true" : "false"
    case .number, .null: nil
    }
  }
}
