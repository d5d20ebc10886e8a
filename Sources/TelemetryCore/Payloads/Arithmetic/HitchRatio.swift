/// The hitch time of motion over many device-days.
package enum HitchRatio {
  /// The figures of one payload.
  package struct Day {
    /// In milliseconds per second; `nil` if it is unknown.
    package var ratio: Double?
    /// True if the payload has a section of animations.
    package var hasAnimations: Bool
    /// The time in the foreground, in seconds, if known.
    package var foreground: Double?

    package init(ratio: Double?, hasAnimations: Bool, foreground: Double?) {
      (self.ratio, self.hasAnimations, self.foreground) = (ratio, hasAnimations, foreground)
    }

    /// A day that was used and has no section of animations is one without hitches: systems leave out what is zero.
    package var known: Double? { ratio ?? (hasAnimations || foreground == nil ? nil : 0) }
  }

  /// The mean in milliseconds per second, each device-day weighted by its time in the foreground; `nil` if no payload
  /// has a ratio.
  ///
  /// Payloads do not say how long there was motion, so this is an estimate; if the time of a day is unknown, all days count
  /// the same.
  package static func mean(of days: [Day]) -> Double? {
    guard days.contains(where: { $0.ratio != nil }) else { return nil }
    let known = days.compactMap { day in day.known.map { (ratio: $0, time: day.foreground) } }
    let isTimed = known.allSatisfy { $0.time != nil }
    return WeightedMean.of(known, value: \.ratio, weight: { isTimed ? $0.time ?? 0 : 1 })
  }
}
