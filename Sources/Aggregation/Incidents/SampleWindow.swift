import Essentials

/// The samples of one short window, thinned out if there are many: about 300 bytes.
struct SampleWindow: Sendable, Equatable {
  private static let capacity = 24

  private(set) var start = -Double.infinity
  private(set) var count: Int32 = 0
  /// Every `stride`-th sample is kept.
  private var stride: Int32 = 1
  /// Kept samples on the scale of the detector, and their offsets from the start in seconds.
  private(set) var values: [Float] = []
  private(set) var offsets: [Float] = []
  private(set) var lastTime = -Double.infinity

  @inline(__always)
  mutating func add(_ value: Float, at time: Double) {
    if count == 0 { start = time }
    if count % stride == 0 { keep(value, Float(max(0, min(time - start, 1e7)))) }
    count = count &+ 1 < Int32.max ? count &+ 1 : count
    lastTime = time
  }

  private mutating func keep(_ value: Float, _ offset: Float) {
    if values.count >= Self.capacity {
      for place in 0..<Self.capacity / 2 {
        values[place] = values[2 * place]
        offsets[place] = offsets[2 * place]
      }
      values.removeLast(Self.capacity / 2)
      offsets.removeLast(Self.capacity / 2)
      stride &*= 2
      guard count % stride == 0 else { return }
    }
    if values.capacity == 0 {
      values.reserveCapacity(Self.capacity)
      offsets.reserveCapacity(Self.capacity)
    }
    values.append(value)
    offsets.append(offset)
  }

  mutating func reset() {
    (count, stride) = (0, 1)
    values.removeAll(keepingCapacity: true)
    offsets.removeAll(keepingCapacity: true)
  }

  /// The median of the window, and the standard deviation of its samples from their quartiles.
  var summary: (median: Float, deviation: Float) {
    let found = quantiles(of: values)
    return (found.median, values.count > 2 ? (found.upper - found.lower) / 1.349 : 0)
  }

  /// Times at which the samples of two windows moved from one level to another: the last sample before and the first
  /// one after.
  ///
  /// Likelihood ratio of a change in a normal mean (Hinkley 1970): each sample votes for the nearer level.
  static func split(
    _ before: SampleWindow, _ window: SampleWindow, from usual: Float, to level: Float
  ) -> (last: Double, first: Double) {
    let half = (level - usual) / 2
    guard half != 0, window.count > 0 else { return (before.lastTime, window.start) }
    var (sum, best, newer, isBest) = (Float(0), Float(0), window.lastTime, false)
    var found = (last: window.lastTime, first: window.lastTime)
    for part in [window, before] where part.count > 0 {
      for place in part.values.indices.reversed() {
        let time = part.start + Double(part.offsets[place])
        if isBest { found = (time, newer) }
        // Votes are capped at twice that of a sample at either level; otherwise one outlier would move the split.
        sum += max(-2, min(2, (part.values[place] - usual - half) / half))
        isBest = sum >= best
        if isBest { (best, found) = (sum, (time, time)) }
        newer = time
      }
    }
    return found
  }
}
