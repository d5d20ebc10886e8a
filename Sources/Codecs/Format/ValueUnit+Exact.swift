extension ValueUnit {
  /// A value with all its digits in its recorded unit, for copying: `4158.434 ms`, `0.25 %`, `42`.
  package func exactText(_ value: Double) -> String {
    symbol.isEmpty ? Decimals.text(value) : "\(Decimals.text(value)) \(symbol)"
  }

  /// The symbol written after a value; empty for none.
  package var symbol: String {
    switch self {
    case .nanoseconds: "ns"
    case .microseconds: "µs"
    case .milliseconds: "ms"
    case .seconds: "s"
    case .minutes: "min"
    case .bytes: "B"
    case .kilobytes: "kB"
    case .megabytes: "MB"
    case .gigabytes: "GB"
    case .kibibytes: "KiB"
    case .mebibytes: "MiB"
    case .gibibytes: "GiB"
    case .percent: "%"
    case .perSecond: "/s"
    case .hertz: "Hz"
    case .thousands: "k"
    case .ratio, .unixTime, .moment, .plain: ""
    }
  }
}
