/// Parses POSIX extended regular expressions, plus `\d`, `\w`, `\s` and `(?:…)`.
///
/// There are no back references, so a name can be tested in a single pass.
struct PatternReader {
  /// Maximum repetition count.
  private static let highestCount = 255

  private let scalars: [Unicode.Scalar]
  private var place = 0

  /// Parses a whole pattern.
  static func node(of pattern: String) throws(PatternFault) -> PatternNode {
    var reader = PatternReader(scalars: Array(pattern.unicodeScalars))
    let node = try reader.choice()
    // Only an unopened parenthesis ends a choice early.
    guard reader.next == nil else { throw reader.fault(.unopenedGroup) }
    return node
  }

  private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

  private var next: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

  private func fault(_ reason: PatternFault.Reason, from start: Int? = nil) -> PatternFault {
    let start = start ?? place
    return PatternFault(reason: reason, range: start..<max(start, min(place + 1, scalars.count)))
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    place += 1
    return true
  }

  // MARK: Structure

  private mutating func choice() throws(PatternFault) -> PatternNode {
    var branches = [try sequence()]
    while take("|") { branches.append(try sequence()) }
    return branches.count == 1 ? branches[0] : .choice(branches)
  }

  private mutating func sequence() throws(PatternFault) -> PatternNode {
    var parts: [PatternNode] = []
    while let scalar = next, scalar != "|", scalar != ")" { parts.append(try repeated(try atom())) }
    return .sequence(parts)
  }

  private mutating func atom() throws(PatternFault) -> PatternNode {
    let start = place
    guard let scalar = next else { throw fault(.nothingToRepeat) }
    place += 1
    switch scalar {
    case "(": return try group(from: start)
    case "[": return .set(try bracket(from: start))
    case ".": return .set(.all)
    case "^": return .start
    case "$": return .end
    case "\\": return try escape(from: start)
    case "*", "+", "?":
      place = start
      throw fault(.nothingToRepeat)
    case "{":
      place = start
      throw fault(.wrongRepetition)
    default: return .literal(scalar)
    }
  }

  private mutating func group(from start: Int) throws(PatternFault) -> PatternNode {
    if next == "?", place + 1 < scalars.count, scalars[place + 1] == ":" { place += 2 }
    let node = try choice()
    guard take(")") else { throw PatternFault(reason: .unclosedGroup, range: start..<(start + 1)) }
    return node
  }

  // MARK: Repetition

  private mutating func repeated(_ node: PatternNode) throws(PatternFault) -> PatternNode {
    let start = place
    guard let count = try repetition() else { return node }
    switch node {
    case .start, .end:
      place = start
      throw fault(.nothingToRepeat)
    case .set, .sequence, .choice, .repetition: break
    }
    // Two quantifiers in a row have different meanings in different dialects.
    if let scalar = next, "*+?{".unicodeScalars.contains(scalar) { throw fault(.nothingToRepeat) }
    return .repetition(node, minimum: count.minimum, maximum: count.maximum)
  }

  private mutating func repetition() throws(PatternFault) -> (minimum: Int, maximum: Int?)? {
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    let start = place
    guard take("{") else { return nil }
    let minimum = number()
    var maximum = minimum
    if take(",") { maximum = number() }
    let isOpen = scalars[place - 1] == ","
    guard take("}"), let minimum, isOpen || maximum != nil, minimum <= Self.highestCount,
      minimum <= maximum ?? minimum, maximum ?? 0 <= Self.highestCount
    else { throw fault(.wrongRepetition, from: start) }
    return (minimum, isOpen ? nil : maximum)
  }

  /// Reads digits as a number, clamped to `Int.max`; `nil` if there are none.
  private mutating func number() -> Int? {
    let start = place
    while let scalar = next, ("0"..."9").contains(scalar) { place += 1 }
    let digits = scalars[start..<place].map(String.init).joined()
    return digits.isEmpty ? nil : Int(digits) ?? .max
  }

  // MARK: Characters

  private mutating func escape(from start: Int) throws(PatternFault) -> PatternNode {
    if let set = try escapedSet(from: start) { return .set(set) }
    return .literal(scalars[place - 1])
  }

  /// The class after a backslash; `nil` for a character that stands for itself.
  private mutating func escapedSet(from start: Int) throws(PatternFault) -> ScalarSet? {
    guard let scalar = next else { throw fault(.unknownEscape, from: start) }
    switch scalar {
    case "1"..."9": throw fault(.backReference, from: start)
    case "d", "w", "s", "D", "W", "S": break
    case "a"..."z", "A"..."Z", "0": throw fault(.unknownEscape, from: start)
    default: break
    }
    place += 1
    switch scalar {
    case "d": return .digits
    case "w": return .wordSigns
    case "s": return .spaces
    case "D": return ScalarSet.digits.inverted
    case "W": return ScalarSet.wordSigns.inverted
    case "S": return ScalarSet.spaces.inverted
    default: return nil
    }
  }

  /// The set between brackets.
  private mutating func bracket(from start: Int) throws(PatternFault) -> ScalarSet {
    let isNegated = take("^")
    var ranges: [ClosedRange<UInt32>] = []
    var isFirst = true
    while isFirst || next != "]" {
      isFirst = false
      ranges += try bracketPart(from: start)
    }
    place += 1
    let set = ScalarSet(ranges).folded
    return isNegated ? set.inverted : set
  }

  private mutating func bracketPart(from start: Int) throws(PatternFault) -> [ClosedRange<UInt32>] {
    let first = place
    if let set = try bracketClass(from: start) { return set.ranges }
    let low = scalars[place - 1].value
    guard next == "-", place + 1 < scalars.count, scalars[place + 1] != "]" else { return [low...low] }
    place += 1
    guard try bracketClass(from: start) == nil, low <= scalars[place - 1].value else {
      place -= 1
      throw fault(.wrongRange, from: first)
    }
    return [low...scalars[place - 1].value]
  }

  /// A class inside brackets; `nil` for a single character, which then precedes the current position.
  private mutating func bracketClass(from start: Int) throws(PatternFault) -> ScalarSet? {
    guard let scalar = next else {
      throw PatternFault(reason: .unclosedBracket, range: start..<(start + 1))
    }
    let first = place
    place += 1
    if scalar == "\\" { return try escapedSet(from: first) }
    guard scalar == "[", let kind = next, ":.=".unicodeScalars.contains(kind) else { return nil }
    place += 1
    let name = scalars[place...].prefix { ("a"..."z").contains($0) }
    place += name.count
    guard kind == ":", take(":"), take("]"), let set = ScalarSet.named[name.map(String.init).joined()] else {
      throw PatternFault(reason: .unknownClass, range: first..<place)
    }
    return set
  }
}
