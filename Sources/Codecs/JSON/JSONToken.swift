/// One JSON value, located in its bytes but not parsed further.
package enum JSONToken {
  case null
  case bool(Bool)
  /// The digits of a number.
  case number(UnsafeRawBufferPointer)
  case text(JSONText)
  /// The JSON of an object.
  case object(UnsafeRawBufferPointer)
  /// The JSON of an array.
  case array(UnsafeRawBufferPointer)

  /// Calls `body` with each member of an object in the order written, duplicates included.
  ///
  /// - Parameter object: The JSON, which the tokens passed to `body` point into.
  /// - Returns: True if the JSON is one object.
  package static func forEachMember(
    of object: UnsafeRawBufferPointer, _ body: (_ name: JSONText, _ value: JSONToken) -> Void
  ) -> Bool {
    var tokenizer = JSONTokenizer(object)
    tokenizer.skipWhitespace()
    let isObject = tokenizer.members { tokenizer, name in
      guard let value = tokenizer.token() else { return false }
      body(name, value)
      return true
    }
    return isObject && tokenizer.finishes()
  }

  /// Calls `body` with each element of an array.
  ///
  /// - Returns: True if the JSON begins with an array.
  package static func forEachElement(of array: UnsafeRawBufferPointer, _ body: (JSONToken) -> Void) -> Bool {
    var tokenizer = JSONTokenizer(array)
    tokenizer.skipWhitespace()
    return tokenizer.elements { tokenizer in
      guard let value = tokenizer.token() else { return false }
      body(value)
      return true
    }
  }
}
