/// The values that a shell offers for an option or an operand.
package enum Completion: Sendable, Equatable {
  case nothing
  /// Files and folders, which the shell lists itself.
  case files
  /// The accepted words, which parsing takes from here too.
  case words([String])
  /// The names of buckets and metrics in the files on the line.
  case buckets, metrics
  /// The names of metrics in the bucket that an operand before has named.
  case names
  /// The scenarios of both engines, and files.
  case scenarios
  /// The names of time zones.
  case zones

  /// The raw values of a type.
  static func cases<Value: CaseIterable & RawRepresentable<String>>(of type: Value.Type) -> Completion {
    .words(Value.allCases.map(\.rawValue))
  }
}
