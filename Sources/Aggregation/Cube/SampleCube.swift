/// The numbers of one series by label and time, small enough to answer any query at once.
///
/// Samples with the same labels (text and bool fields beside the number) form a class; each class keeps a
/// ``FineHistogram`` of all its samples and a coarser one per time slot. Any choice of labels is answered from the
/// classes and any choice of time from the slots, at a cost that depends on their number rather than that of the samples.
package struct SampleCube: Sendable {
  /// The dimension for the file that a sample comes from.
  package static let fileDimension = "(file)"
  /// The dimension for the host that a query compares with all others; their samples have no value in it.
  package static let hostDimension = "(host)"
  /// The dimension for the values of a text series.
  package static let valueDimension = "(value)"

  /// Maximum number of label combinations; above that, the dimension with the most values is dropped.
  static let classLimit = 256
  /// Maximum number of time slots; above that, they double in length.
  static let slotLimit = 512
  /// Maximum memory in bytes.
  ///
  /// Above it, slots double in length as long as enough of them remain to show progress over time; then dimensions are
  /// dropped.
  static let footprintLimit = 16 << 20
  private static let fewestSlots = 64
  /// Samples between two memory checks.
  private static let footprintInterval = 1 << 16
  /// Limit of times, in seconds from 2001; times beyond it are clamped.
  private static let farthest = 1e12

  /// Slot length in seconds.
  package private(set) var step: Double
  /// Times of the first and the last sample, in seconds since 2001; `nil` if there are none.
  private(set) var times: ClosedRange<Double>?
  /// Number of values skipped because they were not finite.
  package private(set) var passedOver = 0
  var dimensionTable = CubeDimensions()
  private(set) var classes: [CubeDimensions.Codes: CubeClass] = [:]
  private var slots: Set<Int64> = []
  /// The slot of the last sample, usually also that of the next one.
  private var lastSlot = Int64.min
  private var untilFootprint = Self.footprintInterval

  /// - Parameter step: initial slot length in seconds, at least a millisecond.
  package init(step: Double) {
    self.step = step >= 0.001 && step <= 1e12 ? step : 1
  }

  /// A label: the field and its value.
  package struct Label: Hashable, Sendable {
    package var dimension: String
    package var value: String

    package init(_ dimension: String, _ value: String) {
      (self.dimension, self.value) = (dimension, value)
    }
  }

  /// Number of samples.
  package var count: Int { classes.values.reduce(0) { $0 &+ $1.moments.count } }

  /// Records a sample.
  ///
  /// - Parameters:
  ///   - value: the number; one that is not finite is skipped and counted.
  ///   - time: seconds since 2001.
  ///   - labels: the sample's values in the dimensions.
  package mutating func record(_ value: Double, at time: Double, labels: [Label] = []) {
    guard value.isFinite else {
      passedOver &+= 1
      return
    }
    let codes = codes(of: labels)
    let time = Self.clamped(time)
    noteTimes(time...time)
    let slot = slot(of: time)
    if slot != lastSlot {
      lastSlot = slot
      if slots.insert(slot).inserted { while slots.count > Self.slotLimit { doubleStep() } }
    }
    classes[codes, default: CubeClass()].record(value, slot: lastSlot)
    while hasTooManyClasses, giveUpDimension() {}
    untilFootprint -= 1
    if untilFootprint <= 0 { shrink() }
  }

  /// Adds samples with the same labels.
  mutating func take(_ members: CubeClass, codes: CubeDimensions.Codes) {
    slots.formUnion(members.slots.keys)
    if classes[codes] == nil { classes[codes] = members } else { classes[codes]?.merge(members) }
  }

  mutating func noteTimes(_ others: ClosedRange<Double>?) {
    guard let others else { return }
    times =
      times.map {
        min($0.lowerBound, others.lowerBound)...max($0.upperBound, others.upperBound)
      } ?? others
  }

  mutating func notePassedOver(_ count: Int) { passedOver &+= count }

  /// Enforces all limits after many samples were added at once.
  mutating func shrinkToLimits() {
    while slots.count > Self.slotLimit { doubleStep() }
    while hasTooManyClasses, giveUpDimension() {}
    shrink()
  }

  /// Sorts the recorded samples, so that queries do not have to.
  package mutating func settle() {
    for codes in classes.keys { classes[codes]?.settle() }
  }

  /// Approximate memory in bytes.
  package var footprint: Int { classes.values.reduce(0) { $0 + $1.footprint } }

  private mutating func shrink() {
    untilFootprint = Self.footprintInterval
    while footprint > Self.footprintLimit {
      if slots.count > Self.fewestSlots { doubleStep() } else if !giveUpDimension() { return }
    }
  }

  /// Fields that name the source of samples justify more classes: without them no conclusion is possible.
  private var hasTooManyClasses: Bool {
    classes.count > Self.classLimit
      && (classes.count > 4 * Self.classLimit || !dimensionTable.isFolded.contains(true))
  }

  private mutating func giveUpDimension() -> Bool {
    guard let largest = dimensionTable.largest else { return false }
    if let codes = dimensionTable.fold(largest) {
      recode(largest, codes)
      return true
    }
    dimensionTable.giveUp(largest)
    joinClasses(without: largest)
    return true
  }

  // MARK: Labels

  private mutating func codes(of labels: [Label]) -> CubeDimensions.Codes {
    var codes = CubeDimensions.Codes()
    for label in labels {
      switch code(of: label) {
      case .coded(let dimension, let code): codes[dimension] = code
      case .none: break
      case .givenUp(let dimension): codes[dimension] = 0
      case .folded(let dimension, _, let code): codes[dimension] = code
      }
    }
    return codes
  }

  /// The number of a label; one value too many drops its field.
  mutating func code(of label: Label) -> CubeDimensions.Coding {
    let coding = dimensionTable.code(label.value, of: label.dimension)
    switch coding {
    case .givenUp(let dimension): joinClasses(without: dimension)
    case .folded(let dimension, let codes, _): recode(dimension, codes)
    case .coded, .none: break
    }
    return coding
  }

  /// Folds a field that another cube has folded; returns its place, or `nil` if it is not a dimension here.
  mutating func fold(_ name: String) -> Int? {
    guard let (place, codes) = dimensionTable.fold(named: name) else { return nil }
    recode(place, codes)
    return place
  }

  /// Ignores a field from now on.
  mutating func refuse(_ name: String) {
    if let dimension = dimensionTable.refuse(name) { joinClasses(without: dimension) }
  }

  private mutating func joinClasses(without dimension: Int) {
    recode(dimension, Array(repeating: 0, count: Int(UInt8.max) + 1))
  }

  /// Renumbers the values of a dimension, possibly giving several the same number.
  private mutating func recode(_ dimension: Int, _ numbers: [UInt8]) {
    var joined: [CubeDimensions.Codes: CubeClass] = [:]
    for (codes, members) in sortedClasses {
      var codes = codes
      let old = Int(codes[dimension])
      codes[dimension] = numbers.indices.contains(old) ? numbers[old] : 0
      if joined[codes] == nil { joined[codes] = members } else { joined[codes]?.merge(members) }
    }
    classes = joined
  }

  // MARK: Time

  func slot(of time: Double) -> Int64 { Int64((Self.clamped(time) / step).rounded(.down)) }

  /// The time within the limits; NaN becomes the earliest one.
  private static func clamped(_ time: Double) -> Double {
    time > -farthest ? (time < farthest ? time : farthest) : -farthest
  }

  /// Start of a slot, in seconds since 2001.
  func start(ofSlot slot: Int64) -> Double { Double(slot) * step }

  /// Midpoint of a slot, in seconds since 2001.
  func middle(ofSlot slot: Int64) -> Double { (Double(slot) + 0.5) * step }

  mutating func doubleStep() {
    let joined = { (slot: Int64) in slot >> 1 }
    step *= 2
    slots = Set(slots.map(joined))
    lastSlot = joined(lastSlot)
    for codes in classes.keys { classes[codes]?.joinSlots(joined) }
  }
}
