/// Makes the field names of one sample unique, for formats that allow a name only once.
///
/// `{"a.b": 1, "a": {"b": 5}}` has two fields `a.b`; the later one is `a.b_2`.
struct DistinctNames<Name: Hashable> {
  /// The names already used, and the last number tried for each.
  private var numbers: [Name: Int] = [:]

  /// A name that has not been used before.
  ///
  /// - Parameter form: the name with an ending; the first ending is empty, the next `_2`.
  mutating func next(_ form: (_ ending: String) -> Name) -> Name {
    let plain = form("")
    guard var number = numbers[plain] else {
      numbers[plain] = 1
      return plain
    }
    // There are no more names than members of a struct, so the number stays small.
    var name = plain
    while numbers[name] != nil {
      number += 1
      name = form("_\(number)")
    }
    numbers[plain] = number
    numbers[name] = 1
    return name
  }
}
