/// Why and where bytes are not JSON.
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
  /// The byte at which reading stopped, from 0.
  package let offset: Int

  package init(reason: Reason, offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// The reason in words.
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

/// Line and column of offsets that are asked for in ascending order.
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
