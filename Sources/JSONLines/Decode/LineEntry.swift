/// The parts of one line, decoded except for the value.
struct LineEntry {
  var bucket: String?
  var name: String
  var typeName: String
  /// Seconds since 2001-01-01T00:00:00Z, finite.
  var time: Double
  /// The Base64 of the value, without escapes.
  var value: [UInt8]
}
