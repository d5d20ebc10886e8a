import Essentials

/// A type whose values have a place in an event.
package protocol PropertyConvertible {
  /// The value, or `nil` with a count if it is left out.
  func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue?
}

// MARK: Numbers

extension PropertyConvertible where Self: FixedWidthInteger {
  /// An integer, or the nearest number where 64 bits with a sign do not hold it.
  package func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    Int64(exactly: self).map(PropertyValue.integer) ?? .double(Double(self))
  }
}

extension Int: PropertyConvertible {}
extension Int8: PropertyConvertible {}
extension Int16: PropertyConvertible {}
extension Int32: PropertyConvertible {}
extension Int64: PropertyConvertible {}
extension UInt: PropertyConvertible {}
extension UInt8: PropertyConvertible {}
extension UInt16: PropertyConvertible {}
extension UInt32: PropertyConvertible {}
extension UInt64: PropertyConvertible {}

extension Double: PropertyConvertible {
  package func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    conversion.number(self)
  }
}

extension Float: PropertyConvertible {
  /// The number that its digits spell: 0.1 stays 0.1.
  package func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    conversion.number(Double(description) ?? Double(self))
  }
}

extension Decimal: PropertyConvertible {
  package func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    guard isFinite else { return conversion.leaveOut() }
    let text = description
    if let whole = Int64(text) { return .integer(whole) }
    return conversion.number(Double(text) ?? .nan)
  }
}

extension Bool: PropertyConvertible {
  package func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    .bool(self)
  }
}

// MARK: Texts

extension String: PropertyConvertible {
  package func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    conversion.text(self)
  }
}

extension Substring: PropertyConvertible {
  package func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    conversion.text(String(self))
  }
}

extension Character: PropertyConvertible {
  package func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    conversion.text(String(self))
  }
}

extension Date: PropertyConvertible {
  /// The moment as events have it.
  package func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    timeIntervalSince1970.isFinite ? conversion.text(EventTime.text(self)) : conversion.leaveOut()
  }
}

extension URL: PropertyConvertible {
  package func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    conversion.text(absoluteString)
  }
}

extension UUID: PropertyConvertible {
  package func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    conversion.text(uuidString.lowercased())
  }
}

extension Data: PropertyConvertible {
  /// Base64.
  package func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    // Checked before the text is made, which takes four thirds of it.
    count < PropertyConversion.sizeLimit
      ? conversion.text(base64EncodedString()) : conversion.leaveOut()
  }
}

// MARK: Containers

extension PropertyValue: PropertyConvertible {
  package func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    switch self {
    case .text(let text): conversion.text(text)
    case .double(let number): conversion.number(number)
    case .array(let values): conversion.array(values, depth: depth)
    case .object(let members): conversion.object(members, depth: depth)
    case .integer, .bool, .null: self
    }
  }
}

extension Optional: PropertyConvertible, Wrapper {
  /// The innermost wrapped value.
  package func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    // Without recursion: `Any` may hold optionals of `Any` within each other, as deep as memory goes.
    var outer: any Wrapper = self
    while let inner = outer.wrapped {
      guard let next = inner as? any Wrapper else { return conversion.value(inner, depth: depth) }
      outer = next
    }
    return .null
  }

  fileprivate var wrapped: Any? { self }
}

/// An optional of any type.
private protocol Wrapper {
  var wrapped: Any? { get }
}

extension Array: PropertyConvertible {
  package func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    conversion.array(self, depth: depth)
  }
}

extension Dictionary: PropertyConvertible {
  /// Names are texts of any type; members with another name are left out.
  package func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    if let members = self as? [String: Value] { return conversion.object(members, depth: depth) }
    var members: [String: Any] = [:]
    for (key, value) in self {
      if let name = key as? String {
        members[name] = value
      } else {
        _ = conversion.leaveOut()
      }
    }
    return conversion.object(members, depth: depth)
  }
}
