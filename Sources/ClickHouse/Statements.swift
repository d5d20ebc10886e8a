import Codecs
import JSONLines

/// Statements to the server, in the dialect that old and current servers share.
enum Statements {
  /// The beginning of the names of all inserts; the stream follows.
  static let identifierPrefix = "ship-"

  /// A text as an expression: nothing in it needs an escape.
  static func literal(_ text: String) -> String {
    "unhex('" + text.utf8.map { Hexadecimal.text($0) }.joined() + "')"
  }

  /// A number as an expression, with all its bits.
  static func literal(_ number: Double) -> String {
    let bytes = withUnsafeBytes(of: number.bitPattern.littleEndian) { Array($0) }
    return "reinterpretAsFloat64(unhex('" + bytes.map { Hexadecimal.text($0) }.joined() + "'))"
  }

  static func insert(into database: String) -> String {
    "INSERT INTO \(database).samples (\(SampleRow.columns)) FORMAT RowBinary"
  }

  /// The number of rows of a block that the server has.
  static func arrived(_ block: Block, of host: String, in database: String) -> String {
    "SELECT count() FROM \(database).samples WHERE host = \(literal(host)) AND stream = \(block.stream)"
      + " AND seq >= \(block.rows.lowerBound) AND seq < \(block.rows.upperBound)"
      + " AND at >= \(block.times.lowerBound) AND at <= \(block.times.upperBound)"
  }

  /// The streams of which the server has rows from a place on, each with the last of them and the time of the first.
  static func arrived(_ places: [StreamPlace], of host: String, in database: String) -> String {
    let conditions = places.map { "stream = \($0.stream) AND seq >= \($0.next)" }.joined(separator: " OR ")
    return "SELECT stream, max(seq), argMin(at, seq) FROM \(database).samples WHERE host = \(literal(host))"
      + " AND (\(conditions)) GROUP BY stream"
  }

  /// The number of inserts of some streams that are still running.
  static func running(_ streams: [UInt64]) -> String {
    let names = streams.map { "startsWith(query_id, '\(identifierPrefix)\($0)-')" }.joined(separator: " OR ")
    return "SELECT count() FROM system.processes WHERE \(names)"
  }

  static let version = "SELECT version()"
}
