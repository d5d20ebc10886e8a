import Codecs

/// The building blocks for texts of scenarios and of their courses.
package enum ScenarioText {
  /// Seconds with three decimals.
  package static func seconds(_ seconds: Double) -> String {
    let milliseconds = Int64((min(max(seconds, -1e12), 1e12) * 1000).rounded())
    let (whole, rest) = abs(milliseconds).quotientAndRemainder(dividingBy: 1000)
    let decimals = String(1000 + rest).dropFirst()
    return (milliseconds < 0 ? "-" : "") + "\(whole).\(decimals)"
  }

  /// Seconds with as many decimals as are needed, three at most.
  package static func seconds(_ duration: Duration) -> String {
    Decimals.text((duration / .milliseconds(1)).rounded() / 1000)
  }

  /// A text in a column.
  package static func padded(_ text: String, to length: Int, atEnd: Bool = true) -> String {
    let space = String(repeating: " ", count: max(0, length - text.count))
    return atEnd ? text + space : space + text
  }

  /// A list of a file, each element in a line of its own; nothing for an empty one.
  package static func list(_ name: String, _ elements: [String]) -> [String] {
    if elements.isEmpty { return [] }
    return ["  \(name): ["] + elements.map { "    \($0)," } + ["  ],"]
  }
}

extension Duration {
  private static let millisecond: Int64 = 1_000_000_000_000_000

  /// The next whole millisecond that is not before this moment.
  package var roundedUpToMilliseconds: Duration {
    let rest = components.attoseconds % Self.millisecond
    if rest == 0 { return self }
    return self
      + Duration(secondsComponent: 0, attosecondsComponent: (rest > 0 ? Self.millisecond : 0) - rest)
  }

  /// The nearest whole millisecond.
  package var roundedToMilliseconds: Duration {
    (self - Duration(secondsComponent: 0, attosecondsComponent: Self.millisecond / 2)).roundedUpToMilliseconds
  }

  /// The nearest whole millisecond in a range of seconds.
  package func bounded(to seconds: ClosedRange<Double>) -> Duration {
    let (first, last) = (Duration.seconds(seconds.lowerBound), Duration.seconds(seconds.upperBound))
    return Swift.min(Swift.max(self, first), last).roundedToMilliseconds
  }
}
