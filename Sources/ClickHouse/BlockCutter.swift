/// Consecutive rows of a stream that the server takes whole or not at all: of one host and one day, so that they become
/// one part of one partition.
package struct Block: Sendable {
  package let stream: UInt64
  /// The numbers of the rows in the stream.
  package let rows: Range<UInt64>
  /// The earliest and the latest time, in nanoseconds since 1970.
  package let times: ClosedRange<Int64>
  /// The rows in the format RowBinary, with ``SampleRow/columns``.
  package let bytes: [UInt8]

  /// The name of its insert, by which the server recognizes a repeated one.
  var identifier: String {
    Statements.identifierPrefix + "\(stream)-\(rows.lowerBound)-\(rows.upperBound)"
  }
}

/// Writes rows, and cuts them into blocks.
package struct BlockCutter: Sendable {
  private struct Open {
    let stream: UInt64
    let day: Int64
    var rows: Range<UInt64>
    var times: ClosedRange<Int64>
    var writer = RowWriter()
  }

  private static let nanosecondsOfDay: Int64 = 86_400_000_000_000

  private let host: String
  private var open: Open?

  package init(host: String) {
    self.host = host
  }

  /// The size of the block that is not yet complete.
  package var waiting: (bytes: Int, rows: Int) {
    (open?.writer.bytes.count ?? 0, open?.rows.count ?? 0)
  }

  /// Appends a row.
  ///
  /// - Parameter number: The number of the row in its stream.
  /// - Returns: The block before it, if the row does not belong to that.
  package mutating func append(_ row: SampleRow, stream: UInt64, number: UInt64) -> Block? {
    let (time, day) = (row.nanoseconds, row.nanoseconds / Self.nanosecondsOfDay)
    let continues = open.map { $0.stream == stream && $0.day == day && $0.rows.upperBound == number } ?? false
    let block = continues ? nil : cut()
    var next = open ?? Open(stream: stream, day: day, rows: number..<number, times: time...time)
    // Otherwise the bytes would be copied.
    open = nil
    next.rows = next.rows.lowerBound..<(number &+ 1)
    next.times = min(next.times.lowerBound, time)...max(next.times.upperBound, time)
    row.write(to: &next.writer, host: host, stream: stream, number: number)
    open = next
    return block
  }

  /// The block so far; `nil` if it has no rows.
  package mutating func cut() -> Block? {
    defer { open = nil }
    return open.map { Block(stream: $0.stream, rows: $0.rows, times: $0.times, bytes: $0.writer.bytes) }
  }
}
