import Codecs
import Essentials

/// A column value.
///
/// Texts are stored as their bytes, so that they are compared bytewise and may contain any value.
enum SQLiteValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case bytes([UInt8])

  static func text(_ text: String) -> SQLiteValue { .bytes(Array(text.utf8)) }

  static func number(_ value: Int) -> SQLiteValue { .integer(Int64(value)) }

  var bytes: [UInt8] { if case .bytes(let bytes) = self { bytes } else { [] } }
  var text: String { String(decoding: bytes, as: UTF8.self) }
  var number: Int { if case .integer(let value) = self { Int(clamping: value) } else { 0 } }
}

/// The checksum in front of a row's columns; SQLite has none of its own.
enum Seal {
  /// The columns with their checksum in front.
  static func sealed(_ columns: [SQLiteValue]) -> [SQLiteValue] { [checksum(of: columns[...])] + columns }

  /// True if the checksum matches the columns.
  static func isIntact(_ columns: ArraySlice<SQLiteValue>) -> Bool {
    columns.first == checksum(of: columns.dropFirst())
  }

  private static func checksum(of columns: ArraySlice<SQLiteValue>) -> SQLiteValue {
    var content: [UInt8] = []
    content.reserveCapacity(columns.reduce(0) { $0 + $1.bytes.count + 4 })
    for column in columns {
      withUnsafeBytes(of: UInt32(truncatingIfNeeded: column.bytes.count).littleEndian) {
        content.append(contentsOf: $0)
      }
      content.append(contentsOf: column.bytes)
    }
    return .integer(Int64(CRC32.checksum(of: content[...])))
  }
}
