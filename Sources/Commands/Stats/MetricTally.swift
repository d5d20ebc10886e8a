import Aggregation
import History
import JSONLines
import Platform

/// The statistics of one metric or one of its fields.
struct MetricTally: Sendable {
  /// The number of samples of any kind.
  private(set) var count = 0
  /// The earliest and the latest time.
  private(set) var first = Timestamp.distantFuture
  private(set) var last = Timestamp.distantPast
  /// The numbers among the samples.
  private(set) var numbers = Distribution()
  /// The extremes of the integers beyond ±2⁵³ that are written as digits only.
  private(set) var wide: ClosedRange<WideInteger>?
  /// The number with the latest time, the last one of several; kept only on request.
  private(set) var newest: (time: Timestamp, number: Double)?

  /// The unit that figures of payloads state.
  private(set) var unit: String?

  /// Records a figure of a payload: one sample, with the numbers in it.
  mutating func record(_ figure: PayloadFigureValue, time: Timestamp) {
    record(time: time)
    unit = unit ?? figure.unit
    figure.forEachNumber { if $0.isFinite { numbers.record($0) } }
  }

  mutating func record(time: Timestamp) {
    count &+= 1
    if time < first { first = time }
    if time > last { last = time }
  }

  mutating func record(number: Double, time: Timestamp) {
    record(time: time)
    numbers.record(number)
  }

  /// Records a number whose digits must be preserved if it is an integer.
  mutating func record(wide digits: some Collection<UInt8>, number: Double, time: Timestamp) {
    record(number: number, time: time)
    guard let value = WideInteger(digits: digits) else { return }
    wide = wide.map { min($0.lowerBound, value)...max($0.upperBound, value) } ?? value...value
  }

  /// Records a number as the newest one unless another is later.
  mutating func noteNewest(_ number: Double, time: Timestamp) {
    if newest.map({ time >= $0.time }) ?? true { newest = (time, number) }
  }

  /// Discards the individual numbers if there are more than `limit`.
  mutating func giveUpNumbers(above limit: Int) {
    if numbers.keptCount > limit { numbers.giveUpValues() }
  }

  mutating func merge(_ other: MetricTally) {
    if let newest = other.newest { noteNewest(newest.number, time: newest.time) }
    count &+= other.count
    unit = unit ?? other.unit
    first = min(first, other.first)
    last = max(last, other.last)
    numbers.merge(other.numbers)
    if let theirs = other.wide {
      wide =
        wide.map { min($0.lowerBound, theirs.lowerBound)...max($0.upperBound, theirs.upperBound) } ?? theirs
    }
  }

  /// The smallest number, exact to the last digit if all numbers beyond ±2⁵³ are written as digits only.
  ///
  /// A number with an exponent or a fraction counts as the nearest double. If an integer has the same nearest double,
  /// the integer is returned, although it may not be the smaller one: to tell, every number would have to be read
  /// again.
  var minimum: ExactNumber? {
    guard numbers.count > 0 else { return nil }
    let least = numbers.moments.minimum
    guard let wide = wide?.lowerBound, wide.approximation <= least else { return .double(least) }
    return .integer(wide)
  }

  /// The largest number, as exact as ``minimum``.
  var maximum: ExactNumber? {
    guard numbers.count > 0 else { return nil }
    let most = numbers.moments.maximum
    guard let wide = wide?.upperBound, wide.approximation >= most else { return .double(most) }
    return .integer(wide)
  }
}

/// A number for the output: a double, or an integer that may not be representable as one.
enum ExactNumber: Sendable, Equatable {
  case double(Double)
  case integer(WideInteger)
}

/// An integer of any length, stored as decimal digits.
struct WideInteger: Comparable, Sendable {
  private let isNegative: Bool
  /// Without leading zeros.
  private let digits: [UInt8]

  /// Parses decimal digits with an optional minus sign; `nil` for any other text.
  init?(digits text: some Collection<UInt8>) {
    isNegative = text.first == UInt8(ascii: "-")
    let magnitude = text.dropFirst(isNegative ? 1 : 0)
    guard !magnitude.isEmpty,
      magnitude.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
    else { return nil }
    digits = Array(magnitude.drop { $0 == UInt8(ascii: "0") })
  }

  /// The nearest double.
  var approximation: Double { Double(description) ?? 0 }

  var description: String {
    digits.isEmpty ? "0" : (isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self)
  }

  static func < (left: WideInteger, right: WideInteger) -> Bool {
    switch (left.isNegative, right.isNegative) {
    case (true, false): true
    case (false, true): false
    case (false, false): isLess(left.digits, right.digits)
    case (true, true): isLess(right.digits, left.digits)
    }
  }

  private static func isLess(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
  }
}
