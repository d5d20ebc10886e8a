extension StructFields {
  /// Calls `body` with the JSON of each struct in an array that is a field, in the order of writing.
  ///
  /// - Parameters:
  ///   - field: The name of the field.
  ///   - object: The payload of a sample of the kind `object`.
  /// - Returns: Whether there is such an array.
  package static func forEachStruct(
    inArray field: StaticString, of object: ArraySlice<UInt8>, _ body: (_ element: ArraySlice<UInt8>) -> Void
  ) -> Bool {
    object.withUnsafeBytes { bytes in
      var cursor = JSONCursor(bytes)
      cursor.skipWhitespace()
      var isFound = false
      let isWhole = cursor.members { cursor, name in
        guard !isFound, cursor.byte == UInt8(ascii: "["), name.equals(field, in: cursor.bytes) else {
          return cursor.skipValue(depth: 1)
        }
        isFound = true
        return cursor.elements(depth: 1) { cursor in
          let start = cursor.position
          let isStruct = cursor.byte == UInt8(ascii: "{")
          guard cursor.skipValue(depth: 2) else { return false }
          let first = object.startIndex
          if isStruct { body(object[first + start..<first + cursor.position]) }
          return true
        }
      }
      return isWhole && isFound
    }
  }
}
