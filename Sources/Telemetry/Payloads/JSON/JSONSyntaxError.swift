/// Why and where bytes are not JSON.
struct JSONSyntaxError: Error, Hashable {
  /// What is wrong.
  enum Reason: Hashable {
    case endsTooEarly
    case expected(String)
    case controlCharacter
    case badEscape
    case badNumber
    case numberTooLarge
    case tooDeep
  }

  let reason: Reason
  /// The byte at which reading stopped, from 0.
  let offset: Int

  /// The reason in words.
  var text: String {
    switch reason {
    case .endsTooEarly: "the JSON ends too early"
    case .expected(let what): "\(what) was expected"
    case .controlCharacter: "a control character inside of a text"
    case .badEscape: "an escape that JSON does not know"
    case .badNumber: "not a number"
    case .numberTooLarge: "a number that is too large"
    case .tooDeep: "nested more than \(JSONParser.nestingLimit) levels deep"
    }
  }
}
