import Essentials
import Sync

/// Readable differences between two values of the same type.
enum StoreDifference {
  /// The positions and kinds of differences; the type need not be comparable.
  static func words(_ told: Any, _ expected: Any) -> String {
    let (left, right) = (Mirror(reflecting: told), Mirror(reflecting: expected))
    switch left.displayStyle {
    case .collection: return ofLists(left.children.map(\.value), right.children.map(\.value))
    case .optional:
      guard let told = left.children.first?.value, let expected = right.children.first?.value else {
        return instead(left.children.first?.value, right.children.first?.value)
      }
      return words(told, expected)
    case .struct where told is Mutation || told is SyncEntity || told is ServerBasis || told is RemoteChange:
      let parts = zip(left.children, right.children).filter { !isSame($0.value, $1.value) }
      let name = name(told) == name(expected) ? name(told) : nil
      return (name.map { "\($0): " } ?? "")
        + parts.map { "\($0.label ?? "") is \(words($0.value, $1.value))" }.joined(separator: ", ")
    default: return instead(told, expected)
    }
  }

  private static func ofLists(_ told: [Any], _ expected: [Any]) -> String {
    let place = zip(told, expected).prefix { isSame($0, $1) }.count
    if told.count == expected.count, place < told.count, name(told[place]) == name(expected[place]) {
      return words(told[place], expected[place])
    }
    return instead(told, expected)
  }

  private static func instead(_ told: Any?, _ expected: Any?) -> String {
    "\(told.map(short) ?? "nil") instead of \(expected.map(short) ?? "nil")"
  }

  private static func isSame(_ left: Any, _ right: Any) -> Bool {
    guard let left = left as? AnyHashable, let right = right as? AnyHashable else { return false }
    return left == right
  }

  /// The name that identifies a value in a list.
  private static func name(_ value: Any) -> String? {
    switch value {
    case let mutation as Mutation: mutation.id
    case let row as SyncEntity: row.key.words
    case let change as RemoteChange: "\(change.operation) of \(change.entity.words)"
    default: nil
    }
  }

  private static func short(_ value: Any) -> String {
    let text: String
    switch value {
    case let list as [Any]: text = "[" + list.map(short).joined(separator: ", ") + "]"
    case let data as Data: text = String(decoding: data, as: UTF8.self)
    case let date as Date: text = "\(date.timeIntervalSinceReferenceDate) s since 2001"
    case let value as String: text = value.debugDescription
    case let key as EntityKey: text = key.words
    case let cursor as SyncCursor: text = cursor.text?.debugDescription ?? cursor.description
    default: text = name(value) ?? "\(value)"
    }
    return text.count > 300 ? text.prefix(300) + "…" : text
  }
}
