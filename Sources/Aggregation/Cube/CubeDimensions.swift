/// The dimensions of a ``SampleCube``: fields whose values tell samples apart, each value with a number.
struct CubeDimensions: Sendable {
  /// The numbers of a sample's values, one for each dimension: 0 where it has none.
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
  /// A field with more values than that is no dimension: it names samples, such as an identifier does.
  static let valueLimit = 48
  /// Number of codes shared by the values of a folded field.
  static let folds = 16

  /// The field of each dimension, `nil` for a place that is free.
  private(set) var names: [String?] = []
  /// The values of each dimension in the order they came; the first has the number 1.
  private(set) var values: [[String]] = []
  private var numbers: [[String: UInt8]] = []
  /// True if the values of a dimension are identified only by their hash.
  ///
  /// Such a field names the source of samples (``ClusterField``), and has too many values to choose from. Values with the same
  /// hash count as one: two devices in one unit of a test are as independent of the other units as one device is.
  private(set) var isFolded: [Bool] = []
  /// Fields that were abandoned.
  private(set) var refused: Set<String> = []

  /// The result of recording a label.
  enum Coding {
    case coded(dimension: Int, code: UInt8)
    /// The field is no dimension.
    case none
    /// The field was a dimension until now, at this place.
    case givenUp(Int)
    /// The values of the dimension at this place were folded just now: the new number of each old one, and of this one.
    case folded(dimension: Int, codes: [UInt8], code: UInt8)
  }

  /// The number of a value of a field; both may be new.
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

  /// The place of a dimension that is there.
  func place(named name: String) -> Int? { names.firstIndex { $0 == name } }

  /// The number of a value, `nil` where no sample has it.
  func code(known value: String, in dimension: Int) -> UInt8? {
    // Few values are compared sooner than one is hashed.
    guard values[dimension].count <= Self.fewValues else { return numbers[dimension][value] }
    return values[dimension].firstIndex(of: value).map { UInt8($0 + 1) }
  }

  private static let fewValues = 8

  /// The dimension with the most values, the first one to go when there is too much to tell apart.
  var largest: Int? { values.indices.filter { names[$0] != nil }.max { size(of: $0) < size(of: $1) } }

  private func size(of dimension: Int) -> Int {
    isFolded[dimension] ? Self.folds : values[dimension].count
  }

  /// Takes no more notice of a field.
  mutating func giveUp(_ dimension: Int) {
    if let name = names[dimension] { refused.insert(name) }
    (names[dimension], values[dimension], numbers[dimension]) = (nil, [], [:])
    isFolded[dimension] = false
  }

  /// Identifies the values of a field by their hash from now on.
  ///
  /// - Returns: the new number of each old one; `nil` where the field does not name what samples come from, or its values
  ///   are so few that nothing would be won.
  mutating func fold(_ dimension: Int) -> [UInt8]? {
    guard let name = names[dimension], !isFolded[dimension], values[dimension].count > Self.folds,
      ClusterField.plural(of: name) != nil
    else { return nil }
    let codes = [0] + values[dimension].map(Self.fold)
    (values[dimension], numbers[dimension], isFolded[dimension]) = ([], [:], true)
    return codes
  }

  /// Has the values of a field told apart by their hash, as they are elsewhere; answers where it is and what to do with it.
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

  /// Takes no notice of a field, now and later; answers where its dimension was.
  mutating func refuse(_ name: String) -> Int? {
    let dimension = place(named: name)
    if let dimension { giveUp(dimension) } else if refused.count < Self.refusedLimit { refused.insert(name) }
    return dimension
  }

  /// Approximate maximum of reported dropped fields: not each of a million made-up names.
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
