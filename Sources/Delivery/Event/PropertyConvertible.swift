import Essentials

/// A type whose values have a place in an event.
protocol PropertyConvertible {
  /// The value, or `nil` with a count if it is left out.
  func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue?
}

// MARK: Numbers

extension PropertyConvertible where Self: FixedWidthInteger {
  /// An integer, or the nearest number where 64 bits with a sign do not hold it.
  func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
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
  func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    conversion.number(self)
  }
}

extension Float: PropertyConvertible {
  /// The number that its digits spell: 0.1 stays 0.1.
  func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    conversion.number(Double(description) ?? Double(self))
  }
}

extension CGFloat: PropertyConvertible {
  func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    conversion.number(Double(self))
  }
}

extension Decimal: PropertyConvertible {
  func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    guard isFinite else { return conversion.leaveOut() }
    let text = description
    if let whole = Int64(text) { return .integer(whole) }
    return conversion.number(Double(text) ?? .nan)
  }
}

extension Bool: PropertyConvertible {
  func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    .bool(self)
  }
}

extension NSNumber: PropertyConvertible {
  /// A boolean, an integer or a double, whichever it was made of.
  func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    if let decimal = self as? NSDecimalNumber {
      return decimal.decimalValue.propertyValue(by: &conversion, depth: depth)
    }
    if isBool { return .bool(boolValue) }
    switch UInt8(bitPattern: objCType.pointee) {
    case UInt8(ascii: "d"): return conversion.number(doubleValue)
    case UInt8(ascii: "f"): return floatValue.propertyValue(by: &conversion, depth: depth)
    case UInt8(ascii: "Q"): return uint64Value.propertyValue(by: &conversion, depth: depth)
    default: return .integer(int64Value)
    }
  }

  /// The two booleans are objects of their own.
  private var isBool: Bool { self === (true as NSNumber) || self === (false as NSNumber) }
}

// MARK: Texts

extension String: PropertyConvertible {
  func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    conversion.text(self)
  }
}

extension Substring: PropertyConvertible {
  func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    conversion.text(String(self))
  }
}

extension Character: PropertyConvertible {
  func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    conversion.text(String(self))
  }
}

extension NSString: PropertyConvertible {
  func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    conversion.text(String(describing: self))
  }
}

extension Date: PropertyConvertible {
  /// The moment as events have it.
  func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    timeIntervalSince1970.isFinite ? conversion.text(EventTime.text(self)) : conversion.leaveOut()
  }
}

extension NSDate: PropertyConvertible {
  func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    Date(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate)
      .propertyValue(by: &conversion, depth: depth)
  }
}

extension URL: PropertyConvertible {
  func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    conversion.text(absoluteString)
  }
}

extension NSURL: PropertyConvertible {
  func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    // Optional on Apple platforms alone.
    let text: String? = absoluteString
    return text.map { conversion.text($0) } ?? conversion.leaveOut()
  }
}

extension UUID: PropertyConvertible {
  func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    conversion.text(uuidString.lowercased())
  }
}

extension NSUUID: PropertyConvertible {
  func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    conversion.text(uuidString.lowercased())
  }
}

extension Data: PropertyConvertible {
  /// Base64.
  func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    // Checked before the text is made, which takes four thirds of it.
    count < PropertyConversion.sizeLimit
      ? conversion.text(base64EncodedString()) : conversion.leaveOut()
  }
}

extension NSData: PropertyConvertible {
  func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    Data(referencing: self).propertyValue(by: &conversion, depth: depth)
  }
}

// MARK: Containers

extension PropertyValue: PropertyConvertible {
  func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
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
  /// What is wrapped, however often.
  func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
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

extension NSNull: PropertyConvertible {
  func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? { .null }
}

extension Array: PropertyConvertible {
  func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    conversion.array(self, depth: depth)
  }
}

extension NSArray: PropertyConvertible {
  func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    conversion.array(Array(self), depth: depth)
  }
}

extension Dictionary: PropertyConvertible {
  /// Names are texts of any type; members with another name are left out.
  func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
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

extension NSDictionary: PropertyConvertible {
  func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    var members: [AnyHashable: Any] = [:]
    for (key, value) in self {
      guard let key = key as? AnyHashable else { continue }
      members[key] = value
    }
    return members.propertyValue(by: &conversion, depth: depth)
  }
}
