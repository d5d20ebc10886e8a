/// A set of Unicode scalars, as sorted ranges that neither touch nor overlap.
struct ScalarSet: Sendable, Hashable {
  private(set) var ranges: [ClosedRange<UInt32>]

  /// Every scalar.
  static let all = ScalarSet(0...0x10_FFFF)

  init(_ ranges: ClosedRange<UInt32>...) { self.init(ranges) }

  init(_ ranges: [ClosedRange<UInt32>]) {
    self.ranges = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      guard let last = self.ranges.last, range.lowerBound <= last.upperBound &+ 1 else {
        self.ranges.append(range)
        continue
      }
      self.ranges[self.ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
    }
  }

  /// The complement of the set.
  var inverted: ScalarSet {
    var (result, next) = ([ClosedRange<UInt32>](), UInt32(0))
    for range in ranges {
      if range.lowerBound > next { result.append(next...(range.lowerBound - 1)) }
      next = range.upperBound &+ 1
    }
    if next <= 0x10_FFFF { result.append(next...0x10_FFFF) }
    return ScalarSet(result)
  }

  /// The set with its letters in lower case, in which names are compared.
  var folded: ScalarSet {
    var result = ranges
    for range in ranges {
      let letters =
        max(range.lowerBound, 0x41)...max(min(range.upperBound, 0x5A), max(range.lowerBound, 0x41))
      if range.overlaps(0x41...0x5A) {
        result.append((letters.lowerBound | 0x20)...(letters.upperBound | 0x20))
      }
      guard range.count == 1, range.lowerBound > 0x7F, let scalar = Unicode.Scalar(range.lowerBound) else {
        continue
      }
      let lower = scalar.properties.lowercaseMapping.unicodeScalars
      if lower.count == 1, let value = lower.first?.value { result.append(value...value) }
    }
    return ScalarSet(result)
  }

  func contains(_ value: UInt32) -> Bool { ranges.contains { $0.contains(value) } }
}

extension ScalarSet {
  static let digits = ScalarSet(0x30...0x39)
  static let spaces = ScalarSet(0x09...0x0D, 0x20...0x20)
  static let wordSigns = ScalarSet(0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A)

  /// The POSIX character classes, for ASCII only.
  static let named: [String: ScalarSet] = [
    "alnum": ScalarSet(0x30...0x39, 0x41...0x5A, 0x61...0x7A), "alpha": ScalarSet(0x41...0x5A, 0x61...0x7A),
    "blank": ScalarSet(0x09...0x09, 0x20...0x20), "cntrl": ScalarSet(0...0x1F, 0x7F...0x7F), "digit": digits,
    "graph": ScalarSet(0x21...0x7E), "lower": ScalarSet(0x61...0x7A), "print": ScalarSet(0x20...0x7E),
    "punct": ScalarSet(0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E), "space": spaces,
    "upper": ScalarSet(0x41...0x5A), "xdigit": ScalarSet(0x30...0x39, 0x41...0x46, 0x61...0x66),
  ]
}
