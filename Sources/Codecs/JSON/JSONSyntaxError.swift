/// The reason and position of a JSON syntax error.
package struct JSONSyntaxError: Error, Hashable {
  /// The syntax problem.
  package enum Reason: Hashable, Sendable {
    case endsTooEarly
    case expected(String)
    case controlCharacter
    case badEscape
    case badNumber
    case numberTooLarge
    case notUTF8
    case tooDeep
  }

  package let reason: Reason
  /// The offset of the byte at which reading stopped.
  package let offset: Int

  package init(reason: Reason, offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// The reason as text.
  package var text: String {
    switch reason {
    case .endsTooEarly: "the JSON ends too early"
    case .expected(let what): "\(what) was expected"
    case .controlCharacter: "a control character inside a string"
    case .badEscape: "an escape that JSON does not know"
    case .badNumber: "not a number"
    case .numberTooLarge: "a number that is too large"
    case .notUTF8: "a string that is not UTF-8"
    case .tooDeep: "nested more than \(JSONTokenizer.nestingLimit) levels deep"
    }
  }
}

/// Converts ascending offsets to lines and columns.
package struct LineCounter {
  private var line = 1
  private var lineStart = 0
  private var counted = 0

  package init() {}

  /// The line and the column in bytes, both from 1.
  package mutating func place(of offset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
    for index in counted..<max(counted, min(offset, bytes.count)) where bytes[index] == 0x0A {
      line += 1
      lineStart = index + 1
    }
    counted = max(counted, offset)
    return (line, offset - lineStart + 1)
  }
}
