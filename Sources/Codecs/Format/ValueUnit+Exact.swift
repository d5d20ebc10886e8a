extension ValueUnit {
  /// A value with all its digits in the unit that it is recorded in, for copies: `4158.434 ms`, `0.25 %`, `42`.
  package func exactText(_ value: Double) -> String {
    symbol.isEmpty ? ScenarioText.number(value) : "\(ScenarioText.number(value)) \(symbol)"
  }

  /// What is written behind such a value; empty for none.
  package var symbol: String {
    switch self {
    case .milliseconds: "ms"
    case .seconds: "s"
    case .bytes: "B"
    case .kibibytes: "KiB"
    case .kilobytes: "kB"
    case .percent: "%"
    case .thousands: "k"
    case .plain: ""
    }
  }
}
