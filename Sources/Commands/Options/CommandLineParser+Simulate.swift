// The commands around the simulator.
extension CommandLineParser {
  func simulate(_ scanned: ScannedOptions) throws(UsageError) -> Invocation {
    try forbidOperands(scanned, beyond: scanned.has("list") ? 0 : 1)
    let name = scanned.operands.first
    if scanned.has("list") { return .simulate(SimulateRequest(scenario: nil)) }
    guard let name else { throw .missingOperand("the scenario, one of mistertop simulate --list,") }
    var request = SimulateRequest(scenario: name)
    request.seed = try seed(scanned)
    request.steps = try number("steps", scanned, expected: "a whole number from 0 up") { text in
      Int(text).flatMap { $0 >= 0 ? $0 : nil }
    }
    request.until = try number("until", scanned, expected: "seconds since the scenario's start, such as 90") {
      text in Double(text).flatMap { (0...604_800).contains($0) ? $0 : nil }
    }
    request.speed = try number("speed", scanned, expected: "a number from 0.25 to 60") { text in
      Double(text).flatMap { (0.25...60).contains($0) ? $0 : nil }
    }
    if let path = scanned.value("out") {
      guard !path.isEmpty else {
        throw .badValue(option: "--out", value: path, expected: "the name of a file")
      }
      request.output = path
    }
    request.change = scanned.value("what-if")
    request.branchAt =
      try number("branch-at", scanned, expected: "seconds since the scenario's start, such as 90") { text in
        Double(text).flatMap { (0...604_800).contains($0) ? $0 : nil }
      } ?? 0
    return .simulate(request)
  }

  func diagram(_ scanned: ScannedOptions) throws(UsageError) -> Invocation {
    try forbidOperands(scanned, beyond: 1)
    let names = Diagram.allCases.map(\.rawValue).joined(separator: ", ")
    guard let name = scanned.operands.first else { throw .missingOperand("the diagram, one of \(names),") }
    guard let diagram = Diagram(rawValue: name) else {
      throw .badValue(option: "the diagram", value: name, expected: names)
    }
    return .diagram(diagram)
  }

  func seed(_ scanned: ScannedOptions) throws(UsageError) -> UInt64? {
    try number("seed", scanned, expected: "a whole number from 0 up") { UInt64($0) }
  }

  private func number<Number>(
    _ name: String, _ scanned: ScannedOptions, expected: String, _ read: (String) -> Number?
  ) throws(UsageError) -> Number? {
    guard let text = scanned.value(name) else { return nil }
    guard let number = read(text) else {
      throw .badValue(option: "--" + name, value: text, expected: expected)
    }
    return number
  }
}
