import Aggregation
import JSONLines
import Platform

/// What `stats` knows of one metric or of one field of it.
struct MetricTally: Sendable {
  /// How many samples there are, of whatever kind.
  private(set) var count = 0
  /// The earliest and the latest time.
  private(set) var first = Timestamp.distantFuture
  private(set) var last = Timestamp.distantPast
  /// The numbers among them.
  private(set) var numbers = Distribution()
  /// The extremes among whole numbers that no double holds.
  private(set) var wide: ClosedRange<WideInteger>?
  /// The number of the latest time, the last one of several; kept only where it is asked for.
  private(set) var newest: (time: Timestamp, number: Double)?

  mutating func record(time: Timestamp) {
    count &+= 1
    if time < first { first = time }
    if time > last { last = time }
  }

  mutating func record(number: Double, time: Timestamp) {
    record(time: time)
    numbers.record(number)
  }

  mutating func record(wide digits: ArraySlice<UInt8>, number: Double, time: Timestamp) {
    record(number: number, time: time)
    guard let value = WideInteger(digits: digits) else { return }
    wide = wide.map { min($0.lowerBound, value)...max($0.upperBound, value) } ?? value...value
  }

  /// Notes a number that was recorded, if no other is later.
  mutating func noteNewest(_ number: Double, time: Timestamp) {
    if newest.map({ time >= $0.time }) ?? true { newest = (time, number) }
  }

  /// Keeps no numbers one by one, if they are more than that.
  mutating func giveUpNumbers(above limit: Int) {
    if numbers.keptCount > limit { numbers.giveUpValues() }
  }

  mutating func merge(_ other: MetricTally) {
    if let newest = other.newest { noteNewest(newest.number, time: newest.time) }
    count &+= other.count
    first = min(first, other.first)
    last = max(last, other.last)
    numbers.merge(other.numbers)
    if let theirs = other.wide {
      wide =
        wide.map { min($0.lowerBound, theirs.lowerBound)...max($0.upperBound, theirs.upperBound) } ?? theirs
    }
  }

  /// The smallest number, exact to the last digit.
  var minimum: ExactNumber? {
    guard numbers.count > 0 else { return nil }
    let least = numbers.moments.minimum
    guard let wide = wide?.lowerBound, wide.approximation <= least else { return .double(least) }
    return .integer(wide)
  }

  /// The largest number, exact to the last digit.
  var maximum: ExactNumber? {
    guard numbers.count > 0 else { return nil }
    let most = numbers.moments.maximum
    guard let wide = wide?.upperBound, wide.approximation >= most else { return .double(most) }
    return .integer(wide)
  }
}

/// A number for the output: a double, or a whole number that no double holds.
enum ExactNumber: Sendable, Equatable {
  case double(Double)
  case integer(WideInteger)
}

/// A whole number with a sign and 64 bits of magnitude: all of `Int64` and of `UInt64`.
struct WideInteger: Comparable, Sendable {
  let isNegative: Bool
  let magnitude: UInt64

  /// Reads decimal digits with an optional minus sign; `nil` beyond 64 bits.
  init?(digits: some Collection<UInt8>) {
    isNegative = digits.first == UInt8(ascii: "-")
    guard
      let magnitude = UInt64(
        String(decoding: isNegative ? Array(digits.dropFirst()) : Array(digits), as: UTF8.self))
    else { return nil }
    self.magnitude = magnitude
  }

  /// The nearest double.
  var approximation: Double { isNegative ? -Double(magnitude) : Double(magnitude) }

  var description: String { (isNegative ? "-" : "") + String(magnitude) }

  static func < (left: WideInteger, right: WideInteger) -> Bool {
    switch (left.isNegative, right.isNegative) {
    case (true, false): true
    case (false, true): false
    case (false, false): left.magnitude < right.magnitude
    case (true, true): left.magnitude > right.magnitude
    }
  }
}
