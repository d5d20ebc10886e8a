/// The hitch time ratio over many device-days.
package enum HitchRatio {
  /// The inputs to the mean from one payload.
  package struct Day {
    /// The ratio in milliseconds per second; `nil` if unknown.
    package var ratio: Double?
    /// True if the payload has a section of animations.
    package var hasAnimations: Bool
    /// Foreground time in seconds, if known.
    package var foreground: Double?

    package init(ratio: Double?, hasAnimations: Bool, foreground: Double?) {
      (self.ratio, self.hasAnimations, self.foreground) = (ratio, hasAnimations, foreground)
    }

    /// The ratio, or zero for a day with use but without an animation section: systems leave out zeros.
    package var known: Double? { ratio ?? (hasAnimations || foreground == nil ? nil : 0) }
  }

  /// The mean in milliseconds per second, with each device-day weighted by its foreground time; `nil` if no payload
  /// has a ratio.
  ///
  /// Payloads do not say how long there was motion, so this is an estimate. If the foreground time of any day is
  /// unknown, all days count equally.
  package static func mean(of days: [Day]) -> Double? {
    guard days.contains(where: { $0.ratio != nil }) else { return nil }
    let known = days.compactMap { day in day.known.map { (ratio: $0, time: day.foreground) } }
    let isTimed = known.allSatisfy { $0.time != nil }
    return WeightedMean.of(known, value: \.ratio, weight: { isTimed ? $0.time ?? 0 : 1 })
  }
}
