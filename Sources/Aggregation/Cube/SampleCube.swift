/// The numbers of one series by their labels and by time, small enough to be asked anything at once.
///
/// Samples with the same labels (text and bool fields beside the number) are a class; each class keeps a
/// ``FineHistogram`` of all its samples, and for each slot of time a coarser one. Any choice of labels is answered from
/// the classes, any choice of time from the slots, in the time that their number takes and not that of the samples.
package struct SampleCube: Sendable {
  /// The dimension for the file of a sample.
  package static let fileDimension = "(file)"
  /// The dimension that has the values of a series of texts.
  package static let valueDimension = "(value)"

  /// Maximum number of label combinations kept apart; beyond, the dimension with the most values is abandoned.
  static let classLimit = 256
  /// Maximum number of time slots kept apart; beyond, they become twice as long.
  static let slotLimit = 512
  /// Maximum bytes; above them slots become longer, as long as enough of them are left to show progress over time, and
  /// then dimensions are dropped.
  static let footprintLimit = 16 << 20
  private static let fewestSlots = 64
  /// Samples between two checks of the memory.
  private static let footprintInterval = 1 << 16
  /// Times beyond this, in seconds from 2001, are taken as this.
  private static let farthest = 1e12

  /// How long a slot is, in seconds.
  package private(set) var step: Double
  /// Times of the first and the last sample, in seconds since 2001; `nil` without any.
  private(set) var times: ClosedRange<Double>?
  /// Numbers that were none.
  package private(set) var passedOver = 0
  var dimensionTable = CubeDimensions()
  private(set) var classes: [CubeDimensions.Codes: CubeClass] = [:]
  private var slots: Set<Int64> = []
  /// The slot of the last sample, which is that of the next one, mostly.
  private var lastSlot = Int64.min
  private var untilFootprint = Self.footprintInterval

  /// - Parameter step: how long a slot is at first, in seconds; at least a millisecond.
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

  /// How many samples there are.
  package var count: Int { classes.values.reduce(0) { $0 &+ $1.moments.count } }

  /// Counts a sample.
  ///
  /// - Parameters:
  ///   - value: The number; one that is not finite is skipped and counted.
  ///   - time: In seconds since 2001.
  ///   - labels: Its values in the dimensions.
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

  /// Takes in samples of the same labels.
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

  /// Holds all limits after much was taken in at once.
  mutating func shrinkToLimits() {
    while slots.count > Self.slotLimit { doubleStep() }
    while hasTooManyClasses, giveUpDimension() {}
    shrink()
  }

  /// Sorts the recorded samples, so that no query has to.
  package mutating func settle() {
    for codes in classes.keys { classes[codes]?.settle() }
  }

  /// Bytes of memory, about.
  package var footprint: Int { classes.values.reduce(0) { $0 + $1.footprint } }

  private mutating func shrink() {
    untilFootprint = Self.footprintInterval
    while footprint > Self.footprintLimit {
      if slots.count > Self.fewestSlots { doubleStep() } else if !giveUpDimension() { return }
    }
  }

  /// Fields that name the source of samples are worth more classes: without them nothing can be concluded.
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

  /// The number of a label; one too many makes its field none.
  mutating func code(of label: Label) -> CubeDimensions.Coding {
    let coding = dimensionTable.code(label.value, of: label.dimension)
    switch coding {
    case .givenUp(let dimension): joinClasses(without: dimension)
    case .folded(let dimension, let codes, _): recode(dimension, codes)
    case .coded, .none: break
    }
    return coding
  }

  /// Folds a field as another cube has it folded; answers where it is, `nil` where it is none here.
  mutating func fold(_ name: String) -> Int? {
    guard let (place, codes) = dimensionTable.fold(named: name) else { return nil }
    recode(place, codes)
    return place
  }

  /// Takes no notice of a field, now and later.
  mutating func refuse(_ name: String) {
    if let dimension = dimensionTable.refuse(name) { joinClasses(without: dimension) }
  }

  private mutating func joinClasses(without dimension: Int) {
    recode(dimension, Array(repeating: 0, count: Int(UInt8.max) + 1))
  }

  /// Gives the values of a dimension other numbers, some of them the same.
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

  /// A time that is not too far away; what is no number is the earliest one.
  private static func clamped(_ time: Double) -> Double {
    time > -farthest ? (time < farthest ? time : farthest) : -farthest
  }

  /// When a slot begins, in seconds since 2001.
  func start(ofSlot slot: Int64) -> Double { Double(slot) * step }

  /// The moment between the begin and the end of a slot.
  func middle(ofSlot slot: Int64) -> Double { (Double(slot) + 0.5) * step }

  mutating func doubleStep() {
    let joined = { (slot: Int64) in slot >> 1 }
    step *= 2
    slots = Set(slots.map(joined))
    lastSlot = joined(lastSlot)
    for codes in classes.keys { classes[codes]?.joinSlots(joined) }
  }
}
