/// The scalars of names, in classes: two scalars of one class are in the same sets of a pattern.
struct ScalarClasses: Sendable {
  /// Number of classes.
  let count: Int
  /// Starts of the ranges that lie in one class each, from 0.
  private let starts: [UInt32]
  private let classes: [UInt16]
  /// The classes of ASCII scalars; upper case letters have those of the lower case.
  private let ascii: [UInt16]
  /// The sets of each class.
  let members: [Set<Int>]

  init(of sets: [ScalarSet]) {
    let bounds = sets.flatMap { $0.ranges.flatMap { [$0.lowerBound, $0.upperBound &+ 1] } }
    let starts = Set(bounds + [0]).filter { $0 <= 0x10_FFFF }.sorted()
    var (numbers, members) = ([Set<Int>: UInt16](), [Set<Int>]())
    let classes = starts.map { start -> UInt16 in
      let inside = Set(sets.indices.filter { sets[$0].contains(start) })
      if let number = numbers[inside] { return number }
      let number = UInt16(truncatingIfNeeded: members.count)
      numbers[inside] = number
      members.append(inside)
      return number
    }
    self.starts = starts
    self.classes = classes
    self.members = members
    count = members.count
    ascii = (0..<0x80).map { byte in
      classes[Self.place(of: UInt32(CaseFolding.folded(byte)), in: starts)]
    }
  }

  /// The class of an ASCII character.
  @inline(__always)
  func number(ofASCII byte: UInt8) -> Int { Int(ascii[Int(byte & 0x7F)]) }

  /// The class of a scalar in lower case.
  func number(of scalar: Unicode.Scalar) -> Int { Int(classes[Self.place(of: scalar.value, in: starts)]) }

  /// The last range that starts at or before a value.
  private static func place(of value: UInt32, in starts: [UInt32]) -> Int {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= value { low = middle } else { high = middle }
    }
    return low
  }
}
