/// The dimensions of a ``SampleCube``: fields whose values distinguish samples, with a number for each value.
struct CubeDimensions: Sendable {
  /// The numbers of a sample's values, one per dimension; 0 for a missing value.
  struct Codes: Hashable, Sendable {
    /// Eight bits each, so that all are hashed at once.
    private var bits: UInt64 = 0

    var indices: Range<Int> { 0..<CubeDimensions.limit }

    subscript(place: Int) -> UInt8 {
      get { UInt8(truncatingIfNeeded: bits >> (place * 8)) }
      set { bits = bits & ~(0xFF << (place * 8)) | UInt64(newValue) << (place * 8) }
    }
  }

  /// Maximum number of dimensions.
  static let limit = 8
  /// Maximum values of a dimension; a field with more identifies samples rather than grouping them.
  static let valueLimit = 48
  /// Number of codes shared by the values of a folded field.
  static let folds = 16

  /// The field of each dimension; `nil` for a free place.
  private(set) var names: [String?] = []
  /// The values of each dimension in order of appearance, numbered from 1.
  private(set) var values: [[String]] = []
  private var numbers: [[String: UInt8]] = []
  /// True if the values of a dimension are identified only by their hash.
  ///
  /// Such a field names the source of samples (``ClusterField``) and has too many values to choose from. Values with
  /// the same hash count as one: two devices in one unit of a test are as independent of the other units as one device is.
  private(set) var isFolded: [Bool] = []
  /// Fields that were dropped.
  private(set) var refused: Set<String> = []

  /// The result of recording a label.
  enum Coding {
    case coded(dimension: Int, code: UInt8)
    /// The field is not a dimension.
    case none
    /// The field at this place was a dimension until now and has just been dropped.
    case givenUp(Int)
    /// The values of the dimension at this place were just folded; carries the new number of each old value and of this one.
    case folded(dimension: Int, codes: [UInt8], code: UInt8)
  }

  /// The number of a value of a field, either of which may be new.
  mutating func code(_ value: String, of name: String) -> Coding {
    guard let dimension = place(of: name) else { return .none }
    if let code = code(known: value, in: dimension) { return .coded(dimension: dimension, code: code) }
    if isFolded[dimension] { return .coded(dimension: dimension, code: Self.fold(value)) }
    guard values[dimension].count < Self.valueLimit else {
      if let codes = fold(dimension) {
        return .folded(dimension: dimension, codes: codes, code: Self.fold(value))
      }
      giveUp(dimension)
      return .givenUp(dimension)
    }
    values[dimension].append(value)
    let code = UInt8(values[dimension].count)
    numbers[dimension][value] = code
    return .coded(dimension: dimension, code: code)
  }

  /// The place of an existing dimension.
  func place(named name: String) -> Int? { names.firstIndex { $0 == name } }

  /// The number of a value; `nil` if no sample has it.
  func code(known value: String, in dimension: Int) -> UInt8? {
    // Comparing a few values is faster than hashing one.
    guard values[dimension].count <= Self.fewValues else { return numbers[dimension][value] }
    return values[dimension].firstIndex(of: value).map { UInt8($0 + 1) }
  }

  private static let fewValues = 8

  /// The dimension with the most values, which is the first to go when there are too many combinations.
  var largest: Int? { values.indices.filter { names[$0] != nil }.max { size(of: $0) < size(of: $1) } }

  private func size(of dimension: Int) -> Int {
    isFolded[dimension] ? Self.folds : values[dimension].count
  }

  /// Drops a field for good.
  mutating func giveUp(_ dimension: Int) {
    if let name = names[dimension] { refused.insert(name) }
    (names[dimension], values[dimension], numbers[dimension]) = (nil, [], [:])
    isFolded[dimension] = false
  }

  /// Identifies the values of a field only by their hash from now on.
  ///
  /// - Returns: the new number of each old value; `nil` if the field does not name a source of samples, or has too few
  ///   values for folding to help.
  mutating func fold(_ dimension: Int) -> [UInt8]? {
    guard let name = names[dimension], !isFolded[dimension], values[dimension].count > Self.folds,
      ClusterField.plural(of: name) != nil
    else { return nil }
    let codes = [0] + values[dimension].map(Self.fold)
    (values[dimension], numbers[dimension], isFolded[dimension]) = ([], [:], true)
    return codes
  }

  /// Folds a field that is already folded elsewhere; returns its place and the new number of each old value.
  mutating func fold(named name: String) -> (place: Int, codes: [UInt8])? {
    guard let place = place(of: name) else { return nil }
    let codes = isFolded[place] ? (0...UInt8(Self.folds)).map { $0 } : [0] + values[place].map(Self.fold)
    (values[place], numbers[place], isFolded[place]) = ([], [:], true)
    return (place, codes)
  }

  private static func fold(_ value: String) -> UInt8 {
    let hash = value.utf8.reduce(UInt64(0x6D69_7374)) { SplitMix64.mixed($0 ^ UInt64($1)) }
    return UInt8(1 + hash % UInt64(folds))
  }

  /// Ignores a field from now on; returns the place of its former dimension.
  mutating func refuse(_ name: String) -> Int? {
    let dimension = place(named: name)
    if let dimension { giveUp(dimension) } else if refused.count < Self.refusedLimit { refused.insert(name) }
    return dimension
  }

  /// Approximate maximum number of dropped fields reported, so that a million made-up names are not listed.
  private static let refusedLimit = 1024

  private mutating func place(of name: String) -> Int? {
    if let known = place(named: name) { return known }
    guard !refused.contains(name) else { return nil }
    if let free = names.firstIndex(of: nil) {
      names[free] = name
      return free
    }
    guard names.count < Self.limit else {
      if refused.count < Self.refusedLimit { refused.insert(name) }
      return nil
    }
    names.append(name)
    values.append([])
    numbers.append([:])
    isFolded.append(false)
    return names.count - 1
  }
}
