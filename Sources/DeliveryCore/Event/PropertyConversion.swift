/// Makes typed values from the `[String: Any]` that apps pass.
///
/// Values that JSON cannot express are left out and counted: unknown types, numbers that are not finite, names that
/// are not strings. So are values nested deeper than ``depthLimit``, and excess values: a container that holds itself
/// many times over would be endless.
package struct PropertyConversion: Sendable {
  /// How many containers may lie within each other, the properties themselves included.
  package static let depthLimit = 64
  /// Bytes of all values together, texts with their UTF-8 and each value with ``valueSize`` more.
  package static let sizeLimit = 4 << 20
  private static let valueSize = 16

  /// Values that were left out, each container counted once.
  package private(set) var leftOut = 0
  private var room = sizeLimit

  init() {}

  /// The values of properties, and how many were left out.
  package static func convert(_ properties: [String: Any]) -> (values: [String: PropertyValue], leftOut: Int)
  {
    var conversion = PropertyConversion()
    let values = conversion.members(properties, depth: 0)
    return (values, conversion.leftOut)
  }

  /// The same for properties that are typed already, which hold numbers that are not finite and nest too deep at worst.
  package static func check(
    _ properties: [String: PropertyValue]
  ) -> (values: [String: PropertyValue], leftOut: Int) {
    var room = sizeLimit
    if fits(.object(properties), depth: 0, room: &room) { return (properties, 0) }
    return convert(properties)
  }

  private static func fits(_ value: PropertyValue, depth: Int, room: inout Int) -> Bool {
    room -= valueSize
    guard room > 0 else { return false }
    switch value {
    case .text(let text):
      room -= text.utf8.count
      return room > 0
    case .double(let number): return number.isFinite
    case .array(let values):
      return depth < depthLimit && values.allSatisfy { fits($0, depth: depth + 1, room: &room) }
    case .object(let members):
      return depth < depthLimit
        && members.allSatisfy { name, value in
          room -= name.utf8.count
          return fits(value, depth: depth + 1, room: &room)
        }
    case .integer, .bool, .null: return true
    }
  }
}

// MARK: Values

extension PropertyConversion {
  /// The value, or `nil` with a count if it is left out.
  ///
  /// Comparing types costs a fraction of a cast that fails, so the usual ones come first.
  package mutating func value(_ any: Any, depth: Int) -> PropertyValue? {
    room -= Self.valueSize
    guard room > 0 else { return leaveOut() }
    let type = type(of: any)
    if type == String.self, let text = any as? String { return self.text(text) }
    if type == Int.self, let number = any as? Int { return .integer(Int64(number)) }
    if type == Double.self, let number = any as? Double { return self.number(number) }
    if type == Bool.self, let isTrue = any as? Bool { return .bool(isTrue) }
    if type == [String: Any].self, let members = any as? [String: Any] {
      return object(members, depth: depth)
    }
    if type == [Any].self, let values = any as? [Any] { return array(values, depth: depth) }
    if type == [String].self, let values = any as? [String] { return array(values, depth: depth) }
    if type == [String: String].self, let members = any as? [String: String] {
      return object(members, depth: depth)
    }
    // Any other type costs a look-up of its conformance.
    guard let convertible = any as? any PropertyConvertible else { return leaveOut() }
    return convertible.propertyValue(by: &self, depth: depth)
  }

  /// Counts a value that is left out.
  package mutating func leaveOut() -> PropertyValue? {
    leftOut += 1
    return nil
  }

  /// Takes room for a container and its name.
  ///
  /// - Returns: False if there is none left.
  mutating func charge(_ bytes: Int) -> Bool {
    room -= Self.valueSize + bytes
    return room > 0
  }

  package mutating func text(_ text: String) -> PropertyValue? {
    room -= text.utf8.count
    return room > 0 ? .text(text) : leaveOut()
  }

  package mutating func number(_ number: Double) -> PropertyValue? {
    number.isFinite ? .double(number) : leaveOut()
  }

  package mutating func array(_ values: [some Any], depth: Int) -> PropertyValue? {
    guard depth < Self.depthLimit else { return leaveOut() }
    var converted: [PropertyValue] = []
    converted.reserveCapacity(min(values.count, room / Self.valueSize))
    for element in values {
      if let element = value(element, depth: depth + 1) { converted.append(element) }
    }
    return .array(converted)
  }

  package mutating func object(_ members: [String: some Any], depth: Int) -> PropertyValue? {
    depth < Self.depthLimit ? .object(self.members(members, depth: depth)) : leaveOut()
  }

  /// The members of a container at a depth that is allowed.
  mutating func members(_ members: [String: some Any], depth: Int) -> [String: PropertyValue] {
    // Keeping the places of the names costs no hashing. NaN, which no value can be, marks what is left out.
    var isComplete = true
    let converted = members.mapValues { member in
      guard let value = value(member, depth: depth + 1) else {
        isComplete = false
        return PropertyValue.double(.nan)
      }
      return value
    }
    for name in converted.keys { room -= name.utf8.count }
    return isComplete ? converted : converted.filter { !$0.value.isNaN }
  }
}

extension PropertyValue {
  fileprivate var isNaN: Bool {
    if case .double(let number) = self { number.isNaN } else { false }
  }
}
