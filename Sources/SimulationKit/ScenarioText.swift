import Codecs

/// Building blocks for scenario files and formatted output.
package enum ScenarioText {
  /// Seconds with three decimals.
  package static func seconds(_ seconds: Double) -> String {
    let milliseconds = Int64((min(max(seconds, -1e12), 1e12) * 1000).rounded())
    let (whole, rest) = abs(milliseconds).quotientAndRemainder(dividingBy: 1000)
    let decimals = String(1000 + rest).dropFirst()
    return (milliseconds < 0 ? "-" : "") + "\(whole).\(decimals)"
  }

  /// Seconds with as many decimals as needed, at most three.
  package static func seconds(_ duration: Duration) -> String {
    Decimals.text((duration / .milliseconds(1)).rounded() / 1000)
  }

  /// Text padded to the width of a column.
  package static func padded(_ text: String, to length: Int, atEnd: Bool = true) -> String {
    let space = String(repeating: " ", count: max(0, length - text.count))
    return atEnd ? text + space : space + text
  }

  /// A list with one element per line; no lines if it is empty.
  package static func list(_ name: String, _ elements: [String]) -> [String] {
    if elements.isEmpty { return [] }
    return ["  \(name): ["] + elements.map { "    \($0)," } + ["  ],"]
  }
}

extension Duration {
  private static let millisecond: Int64 = 1_000_000_000_000_000

  /// The duration rounded up to whole milliseconds.
  package var roundedUpToMilliseconds: Duration {
    let rest = components.attoseconds % Self.millisecond
    if rest == 0 { return self }
    return self
      + Duration(secondsComponent: 0, attosecondsComponent: (rest > 0 ? Self.millisecond : 0) - rest)
  }

  /// The duration rounded to whole milliseconds.
  package var roundedToMilliseconds: Duration {
    (self - Duration(secondsComponent: 0, attosecondsComponent: Self.millisecond / 2)).roundedUpToMilliseconds
  }

  /// The duration rounded to whole milliseconds and clamped to a range of seconds.
  package func bounded(to seconds: ClosedRange<Double>) -> Duration {
    let (first, last) = (Duration.seconds(seconds.lowerBound), Duration.seconds(seconds.upperBound))
    return Swift.min(Swift.max(self, first), last).roundedToMilliseconds
  }
}
