import Codecs

/// The fields of a struct value, read from its JSON object.
package enum StructFields {
  /// The value of a field that is not itself a struct.
  package enum Value: Sendable, Equatable {
    case number(Double)
    case bool(Bool)
    case text(String)
    case null
  }

  /// The value of a field and its bytes.
  package struct Scalar: Sendable, Equatable {
    package let kind: SampleKind
    /// The number, for kinds that have one; otherwise 0.
    package let number: Double
    /// The payload, as ``SampleKind`` defines it for a sample.
    package let payload: ArraySlice<UInt8>
  }

  /// Maximum nesting depth of structs.
  static let depthLimit = 8

  /// Calls `body` for each field in document order; fields of nested structs are named `outer.inner`.
  ///
  /// Arrays are skipped, and so are numbers that overflow a double.
  ///
  /// - Parameter object: The payload of a sample of the kind `object`.
  package static func forEach(in object: ArraySlice<UInt8>, _ body: (_ name: String, _ value: Value) -> Void)
  {
    object.withUnsafeBytes { bytes in
      walk(bytes) { _, token, name in
        switch token {
        case .null: body(name(), .null)
        case .bool(let value): body(name(), .bool(value))
        case .number: if let number = token.number { body(name(), .number(number)) }
        case .text(let text): body(name(), .text(text.string))
        case .object, .array: break
        }
      }
    }
  }

  /// As ``forEach(in:_:)``, with the digits of whole numbers that a double cannot represent exactly.
  package static func forEachScalar(
    in object: ArraySlice<UInt8>, _ body: (_ name: String, _ value: Scalar) -> Void
  ) {
    let object = Array(object)
    object.withUnsafeBytes { bytes in
      walk(bytes) { tokenizer, token, name in
        let value = ValueText(token, of: tokenizer, in: object)
        guard value.number.isFinite else { return }
        body(name(), Scalar(kind: value.kind, number: value.number, payload: value.payload))
      }
    }
  }

  private typealias Leaf = (_ tokenizer: JSONTokenizer, _ token: JSONToken, _ name: () -> String) -> Void

  /// Calls `leaf` for every scalar.
  private static func walk(_ object: UnsafeRawBufferPointer, _ leaf: Leaf) {
    var tokenizer = JSONTokenizer(object)
    tokenizer.skipWhitespace()
    _ = walk(&tokenizer, prefix: "", depth: 0, leaf)
  }

  private static func walk(_ tokenizer: inout JSONTokenizer, prefix: String, depth: Int, _ leaf: Leaf) -> Bool
  {
    tokenizer.members { tokenizer, key in
      func name() -> String { prefix + key.string }
      switch tokenizer.byte {
      case UInt8(ascii: "{") where depth < depthLimit:
        return walk(&tokenizer, prefix: name() + ".", depth: depth + 1, leaf)
      case UInt8(ascii: "{"), UInt8(ascii: "["): return tokenizer.skipValue()
      default:
        guard let token = tokenizer.token() else { return false }
        leaf(tokenizer, token, name)
        return true
      }
    }
  }
}
