import Aggregation

/// Weighted means.
enum WeightedMean {
  /// The mean of `value` weighted by `weight`, never outside the range of the values; `nil` if all weights are zero.
  ///
  /// Weights up to `Int.max` and values up to 1e300 neither trap nor overflow.
  static func of<Element>(
    _ elements: some Collection<Element>, value: (Element) -> Double, weight: (Element) -> Double
  ) -> Double? {
    var (total, weights) = (CompensatedSum(), CompensatedSum())
    var (least, most, largest) = (Double.infinity, -Double.infinity, 0.0)
    for element in elements where weight(element) > 0 {
      weights.add(weight(element))
      least = min(least, value(element))
      most = max(most, value(element))
      largest = max(largest, weight(element))
    }
    let all = weights.value
    guard all > 0, least <= most else { return nil }
    // Dividing first avoids a product that overflows, and costs half a unit in the last place.
    let dividesFirst = max(least.magnitude, most.magnitude) > 1e300 / largest
    for element in elements where weight(element) > 0 {
      let share = dividesFirst ? weight(element) / all : weight(element)
      total.add(value(element) * share)
    }
    return max(least, min(most, dividesFirst ? total.value : total.value / all))
  }
}
