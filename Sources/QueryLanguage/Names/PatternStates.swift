/// The sets of program addresses that a pattern can be at after some characters.
struct PatternStates {
  /// A set of program addresses.
  struct State: Hashable {
    /// Addresses that await a character or the end of the name, in order.
    fileprivate(set) var places: [Int] = []
    /// True if the pattern matches whatever follows; `isMatchAtEnd` is true if it matches when nothing follows.
    fileprivate(set) var isMatch = false
    fileprivate(set) var isMatchAtEnd = false

    var isEmpty: Bool { places.isEmpty }
  }

  /// Number of addresses that may still be visited before the pattern is rejected.
  private var allowance = 3_000_000
  private let program: PatternProgram
  private var states: [State] = []
  private var numbers: [State: Int] = [:]

  /// Starts with state 0, before the first character; it never recurs, because only it is at the start.
  init(_ program: PatternProgram) throws(PatternFault) {
    self.program = program
    states = [try state(from: [0], isAtStart: true)]
  }

  var count: Int { states.count }

  subscript(number: Int) -> State { states[number] }

  /// The number of the state that follows a character in some sets.
  mutating func number(after state: State, taking sets: Set<Int>) throws(PatternFault) -> Int {
    var targets: [Int] = []
    for place in state.places {
      guard case .take(let set) = program.instructions[place], sets.contains(set) else { continue }
      targets.append(place + 1)
    }
    let next = try self.state(from: targets, isAtStart: false)
    if let number = numbers[next] { return number }
    numbers[next] = states.count
    states.append(next)
    return states.count - 1
  }

  private mutating func state(from places: [Int], isAtStart: Bool) throws(PatternFault) -> State {
    var result = State()
    let reached = try closure(of: places, isAtStart: isAtStart, isAtEnd: false)
    for place in reached.sorted() {
      switch program.instructions[place] {
      case .take, .end: result.places.append(place)
      case .match: result.isMatch = true
      case .split, .jump, .start: break
      }
    }
    let atEnd = try closure(of: places, isAtStart: isAtStart, isAtEnd: true)
    result.isMatchAtEnd = atEnd.contains { if case .match = program.instructions[$0] { true } else { false } }
    return result
  }

  /// All addresses reachable without consuming a character.
  private mutating func closure(
    of places: [Int], isAtStart: Bool, isAtEnd: Bool
  ) throws(PatternFault) -> Set<Int> {
    var (reached, waiting) = (Set(places), places)
    while let place = waiting.popLast() {
      allowance -= 1
      guard allowance > 0 else { throw PatternFault(reason: .tooComplex, range: 0..<0) }
      var targets: [Int] = []
      switch program.instructions[place] {
      case .split(let one, let other): targets = [one, other]
      case .jump(let target): targets = [target]
      case .start: if isAtStart { targets = [place + 1] }
      case .end: if isAtEnd { targets = [place + 1] }
      case .take, .match: break
      }
      for target in targets where reached.insert(target).inserted { waiting.append(target) }
    }
    return reached
  }
}
