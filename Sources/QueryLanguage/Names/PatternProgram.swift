/// A pattern as instructions, all alternatives of which are followed in parallel for each character of a name.
struct PatternProgram {
  enum Instruction {
    /// Consumes one character of a set, given by number.
    case take(Int)
    /// Continues at both addresses.
    case split(Int, Int)
    case jump(Int)
    /// Continues only at the start of the name, or only at its end.
    case start, end
    case match
  }

  /// Maximum number of instructions.
  ///
  /// A repeated part is copied once per repetition.
  private static let longest = 600

  private(set) var instructions: [Instruction] = []
  private(set) var sets: [ScalarSet] = []
  private var numbers: [ScalarSet: Int] = [:]
  /// Number of nodes that may still be compiled: repeating an empty node would take time without emitting anything.
  private var allowance = 4 * longest

  init(glob: String) throws(PatternFault) {
    try Self.checkLength(of: glob)
    try append(PatternNode(glob: glob))
    try emit(.match)
  }

  init(expression: String) throws(PatternFault) {
    try Self.checkLength(of: expression)
    let node = try PatternReader.node(of: expression)
    // The match may start anywhere.
    try append(.anything)
    try append(node)
    try emit(.match)
  }

  private static func checkLength(of pattern: String) throws(PatternFault) {
    guard pattern.utf8.count > NamePattern.longest else { return }
    throw PatternFault(reason: .tooLong, range: 0..<pattern.unicodeScalars.count)
  }

  private mutating func emit(_ instruction: Instruction) throws(PatternFault) {
    guard instructions.count < Self.longest else { throw PatternFault(reason: .tooComplex, range: 0..<0) }
    instructions.append(instruction)
  }

  private mutating func append(_ node: PatternNode) throws(PatternFault) {
    allowance -= 1
    guard allowance >= 0 else { throw PatternFault(reason: .tooComplex, range: 0..<0) }
    switch node {
    case .set(let set): try emit(.take(number(of: set)))
    case .start: try emit(.start)
    case .end: try emit(.end)
    case .sequence(let parts): for part in parts { try append(part) }
    case .choice(let branches): try append(branches: branches)
    case .repetition(let inner, let minimum, let maximum):
      for _ in 0..<minimum { try append(inner) }
      guard let maximum else { return try append(repeated: inner) }
      try append(optional: inner, times: maximum - minimum)
    }
  }

  private mutating func append(branches: [PatternNode]) throws(PatternFault) {
    var ends: [Int] = []
    for branch in branches.dropLast() {
      let split = instructions.count
      try emit(.match)
      try append(branch)
      ends.append(instructions.count)
      try emit(.match)
      instructions[split] = .split(split + 1, instructions.count)
    }
    if let last = branches.last { try append(last) }
    for end in ends { instructions[end] = .jump(instructions.count) }
  }

  private mutating func append(repeated node: PatternNode) throws(PatternFault) {
    let split = instructions.count
    try emit(.match)
    try append(node)
    try emit(.jump(split))
    instructions[split] = .split(split + 1, instructions.count)
  }

  private mutating func append(optional node: PatternNode, times: Int) throws(PatternFault) {
    var splits: [Int] = []
    for _ in 0..<times {
      splits.append(instructions.count)
      try emit(.match)
      try append(node)
    }
    for split in splits { instructions[split] = .split(split + 1, instructions.count) }
  }

  private mutating func number(of set: ScalarSet) -> Int {
    if let number = numbers[set] { return number }
    numbers[set] = sets.count
    sets.append(set)
    return sets.count - 1
  }
}
