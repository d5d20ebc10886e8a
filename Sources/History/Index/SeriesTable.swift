package import Aggregation

/// The series of an index with their numbers, and the texts of those that hold texts.
///
/// Blocks are read from newest to oldest, so if there are too many series, those found first are the most recent; all
/// others share a number.
package struct SeriesTable: Sendable {
  /// Maximum number of entries, including the one that other series share.
  package static let limit = 20_000

  package private(set) var identities: [SeriesIdentity] = []
  private var numbers: [SeriesIdentity: Int32] = [:]
  private var texts: [Int32: TextTable] = [:]

  package init() {}

  package var count: Int { identities.count }

  /// The number of a series; `nil` if it has none.
  package func number(of identity: SeriesIdentity) -> Int32? { numbers[identity] }

  /// The number of a series, assigned if necessary; the shared one if there are too many.
  mutating func add(_ identity: SeriesIdentity) -> Int32 {
    if let known = numbers[identity] { return known }
    if identities.count >= Self.limit - 1, identity != .overflow { return add(.overflow) }
    let number = Int32(truncatingIfNeeded: identities.count)
    identities.append(identity)
    numbers[identity] = number
    return number
  }

  /// The number of a series' text; 0 if there are too many.
  mutating func number(of text: String, series: Int32) -> Int {
    texts[series, default: TextTable()].number(of: text, allowNew: true)
  }

  /// The texts of a series.
  package func texts(of series: Int32) -> TextTable { texts[series] ?? TextTable() }

  func write(to out: inout PackedWriter) {
    out.write(count: identities.count)
    for (index, identity) in identities.enumerated() {
      out.write(optional: identity.bucket)
      out.write(identity.name)
      out.write(identity.typeName)
      out.write(optional: identity.field)
      let table = texts(of: Int32(truncatingIfNeeded: index))
      out.write(count: table.count)
      for number in 0..<table.count { out.write(table[number + 1]) }
    }
  }

  init(_ reader: inout PackedReader) throws(IndexFault) {
    for _ in 0..<(try reader.count(atMost: Self.limit)) {
      let identity = SeriesIdentity(
        bucket: try reader.optionalText(), name: try reader.text(), typeName: try reader.text(),
        field: try reader.optionalText())
      let known = identities.count
      let number = add(identity)
      guard identities.count == known + 1 else { throw .damaged }
      var kept: [String] = []
      for _ in 0..<(try reader.count(atMost: TextTable.limit)) { kept.append(try reader.text()) }
      guard let table = TextTable(texts: kept) else { throw .damaged }
      if !kept.isEmpty { texts[number] = table }
    }
  }
}
