import Aggregation
import JSONLines
import Platform

/// The tallies of the fields of one metric's structs.
///
/// Structs written by one program mostly have the same fields in the same order. The field after the previous one is
/// tried first, so that a name is usually compared once and never copied.
struct FieldTallies: KeptNumbers, Sendable {
  private struct Field: Sendable {
    let name: [UInt8]
    var tally = MetricTally()
  }

  private var fields: [Field] = []
  private var places: [[UInt8]: Int] = [:]

  /// The tallies by field name; fields of nested structs are named `outer.inner`.
  var all: [(field: String, tally: MetricTally)] {
    fields.map { (String(decoding: $0.name, as: UTF8.self), $0.tally) }
  }

  var keptCount: Int { fields.reduce(0) { $0 + $1.tally.numbers.keptCount } }

  mutating func giveUpNumbers(above limit: Int) {
    for place in fields.indices { fields[place].tally.giveUpNumbers(above: limit) }
  }

  /// Adds the fields of a struct; numbers beyond the range of a double are skipped.
  ///
  /// - Parameter notesNewest: True to keep the newest number of each field.
  mutating func record(_ object: ArraySlice<UInt8>, at time: Timestamp, notesNewest: Bool = false) {
    var next = 0
    StructFields.forEachBytes(in: object) { name, digits in
      if let digits {
        guard let number = StructFields.number(digits) else { return }
        let place = place(of: name, expected: next)
        next = place + 1
        if number.magnitude < 0x1p53 {
          fields[place].tally.record(number: number, time: time)
        } else {
          fields[place].tally.record(wide: digits, number: number, time: time)
        }
        if notesNewest { fields[place].tally.noteNewest(number, time: time) }
      } else {
        let place = place(of: name, expected: next)
        next = place + 1
        fields[place].tally.record(time: time)
      }
    }
  }

  @inline(__always)
  private mutating func place(of name: UnsafeRawBufferPointer, expected: Int) -> Int {
    if expected < fields.count, Self.equal(fields[expected].name, name) { return expected }
    return otherPlace(of: name)
  }

  @inline(never)
  private mutating func otherPlace(of name: UnsafeRawBufferPointer) -> Int {
    let bytes = Array(name)
    if let known = places[bytes] { return known }
    places[bytes] = fields.count
    fields.append(Field(name: bytes))
    return fields.count - 1
  }

  @inline(__always)
  private static func equal(_ name: [UInt8], _ other: UnsafeRawBufferPointer) -> Bool {
    guard name.count == other.count else { return false }
    return name.withUnsafeBytes { name in
      for index in 0..<name.count where name[index] != other[index] { return false }
      return true
    }
  }
}
