/// A pattern as a state table: one step per character of a name, whatever the pattern.
///
/// libc's `regexec` would also work, but takes half a microsecond for each short name, keeps its state in memory that
/// is only freed with the pattern, and depends on the locale. A pattern that needs too large a table is rejected.
struct NameAutomaton: Sendable {
  /// A state's verdict on the name so far.
  private enum Verdict: UInt8 {
    case open, acceptedAtEnd, accepted, refused
  }

  private static let mostStates = 1000

  private let classes: ScalarClasses
  /// The next state for each state and class.
  private let table: [UInt16]
  private let verdicts: [Verdict]

  init(_ program: PatternProgram) throws(PatternFault) {
    let classes = ScalarClasses(of: program.sets)
    var states = try PatternStates(program)
    var (table, verdicts) = ([UInt16](), [Verdict]())
    var next = 0
    while next < states.count {
      let state = states[next]
      verdicts.append(
        state.isMatch ? .accepted : state.isMatchAtEnd ? .acceptedAtEnd : state.isEmpty ? .refused : .open)
      for number in 0..<classes.count {
        let target = state.isMatch ? next : try states.number(after: state, taking: classes.members[number])
        table.append(UInt16(truncatingIfNeeded: target))
      }
      guard states.count <= Self.mostStates else { throw PatternFault(reason: .tooComplex, range: 0..<0) }
      next += 1
    }
    self.classes = classes
    self.table = table
    self.verdicts = verdicts
  }

  /// True if a name matches.
  func accepts(_ name: String) -> Bool {
    var name = name
    return name.withUTF8 { accepts(ascii: $0) ?? accepts(scalars: String(decoding: $0, as: UTF8.self)) }
  }

  /// The result for an ASCII name; `nil` for any other.
  private func accepts(ascii name: UnsafeBufferPointer<UInt8>) -> Bool? {
    table.withUnsafeBufferPointer { table in
      verdicts.withUnsafeBufferPointer { verdicts in
        var state = 0
        for byte in name {
          guard byte < 0x80 else { return nil }
          state = Int(table[state &* classes.count &+ classes.number(ofASCII: byte)])
          if verdicts[state] == .accepted { return true }
          if verdicts[state] == .refused { return false }
        }
        return verdicts[state] == .acceptedAtEnd || verdicts[state] == .accepted
      }
    }
  }

  private func accepts(scalars name: String) -> Bool {
    var state = 0
    for scalar in name.lowercased().unicodeScalars {
      state = Int(table[state &* classes.count &+ classes.number(of: scalar)])
      if verdicts[state] == .accepted { return true }
      if verdicts[state] == .refused { return false }
    }
    return verdicts[state] == .acceptedAtEnd || verdicts[state] == .accepted
  }
}
