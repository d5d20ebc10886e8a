/// A place in the input.
public struct PayloadPlace: Hashable, Sendable {
  /// The line, from 1.
  public let line: Int
  /// The column in bytes, from 1; `nil` if the line is that of a whole document.
  public let column: Int?
  /// The byte offset, from 0.
  public let byte: Int
  /// The keys and indices from the document to the value; empty for the document itself.
  public let path: [String]

  /// A place from its parts.
  public init(line: Int = 1, column: Int? = nil, byte: Int = 0, path: [String] = []) {
    (self.line, self.column, self.byte, self.path) = (line, column, byte, path)
  }
}

extension PayloadPlace: CustomStringConvertible {
  /// The place in readable form: `metaData.pid`, `line 3: metaData.pid`, `line 3, column 7 (byte 91)`.
  public var description: String {
    if let column { return "line \(line), column \(column) (byte \(byte))" }
    let keys = path.joined(separator: ".")
    if keys.isEmpty { return "line \(line)" }
    return line > 1 ? "line \(line): \(keys)" : keys
  }
}
