package import DeliveryCore
package import Foundation

// Foundation's classes as properties, for programs that use them.

extension CGFloat: PropertyConvertible {
  package func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    conversion.number(Double(self))
  }
}

extension NSNumber: PropertyConvertible {
  /// A boolean, an integer or a double, depending on its origin.
  package func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
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

  /// The two boolean values are unique objects.
  private var isBool: Bool { self === (true as NSNumber) || self === (false as NSNumber) }
}

extension NSString: PropertyConvertible {
  package func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    conversion.text(String(describing: self))
  }
}

extension NSDate: PropertyConvertible {
  package func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    Date(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate)
      .propertyValue(by: &conversion, depth: depth)
  }
}

extension NSURL: PropertyConvertible {
  package func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    // Optional only on Apple platforms.
    let text: String? = absoluteString
    return text.map { conversion.text($0) } ?? conversion.leaveOut()
  }
}

extension NSUUID: PropertyConvertible {
  package func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    conversion.text(uuidString.lowercased())
  }
}

extension NSData: PropertyConvertible {
  package func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    Data(referencing: self).propertyValue(by: &conversion, depth: depth)
  }
}

extension NSNull: PropertyConvertible {
  package func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? { .null }
}

extension NSArray: PropertyConvertible {
  package func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    conversion.array(Array(self), depth: depth)
  }
}

extension NSDictionary: PropertyConvertible {
  package func propertyValue(by conversion: inout PropertyConversion, depth: Int) -> PropertyValue? {
    var members: [AnyHashable: Any] = [:]
    for (key, value) in self {
      guard let key = key as? AnyHashable else { continue }
      members[key] = value
    }
    return members.propertyValue(by: &conversion, depth: depth)
  }
}
