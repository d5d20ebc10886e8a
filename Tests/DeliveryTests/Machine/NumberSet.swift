/// A set of numbers below 128: what a sequence of the model check may queue, as one of its runs has no time for hashing.
struct NumberSet: Hashable, Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  init() {}

  init(_ numbers: [Int]) { insert(numbers) }

  var count: Int { low.nonzeroBitCount + high.nonzeroBitCount }

  /// The numbers, the smallest first.
  var all: [Int] { (0..<128).filter { contains($0) } }

  func contains(_ number: Int) -> Bool {
    number < 64 ? low & Self.bit(number) != 0 : high & Self.bit(number) != 0
  }

  /// Adds a number, and says whether it is new.
  @discardableResult
  mutating func insert(_ number: Int) -> Bool {
    precondition(0 <= number && number < 128, "no room for \(number)")
    if contains(number) { return false }
    if number < 64 { low |= Self.bit(number) } else { high |= Self.bit(number) }
    return true
  }

  /// Adds numbers, and says whether all are new.
  @discardableResult
  mutating func insert(_ numbers: [Int]) -> Bool {
    var areNew = true
    for number in numbers where !insert(number) { areNew = false }
    return areNew
  }

  func union(_ other: Self) -> Self { Self(low: low | other.low, high: high | other.high) }

  func intersection(_ other: Self) -> Self { Self(low: low & other.low, high: high & other.high) }

  func subtracting(_ other: Self) -> Self { Self(low: low & ~other.low, high: high & ~other.high) }

  private init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// The place of a number in its half.
  private static func bit(_ number: Int) -> UInt64 { 1 &<< UInt64(truncatingIfNeeded: number) }
}
