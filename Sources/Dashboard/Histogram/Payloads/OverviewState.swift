import Aggregation
import History
import Telemetry

/// What the person did to the overview of payloads, and what is kept from frame to frame because of it.
struct OverviewState: Sendable {
  /// The selected line; `nil` until there is one.
  var line: OverviewLine.ID?
  /// Lines that are not folded as they usually are: sections and kinds are open, versions of diagnostics are not.
  var toggled: Set<OverviewLine.ID> = []
  /// Places in call stacks below which more is shown.
  var unfolded: [DiagnosticGroup.ID: Set<CallStackOutline.ID>] = [:]
  /// The first line that is seen.
  var offset = 0
  /// What is to be shown, and what that was found for: to find it out takes a look at all payloads.
  var wanted: (chosen: Chosen, key: OverviewContent.Key)?
  var content = OverviewContent()

  /// What decides what is shown.
  struct Chosen: Hashable, Sendable {
    let payloads: Int
    let look: HistogramLook
    let range: HistogramRange
    let window: Range<Double>?
  }
}

/// What the overview shows: computed once a change, and much of it a little at a time.
struct OverviewContent: Sendable {
  /// What all figures depend on.
  struct Key: Hashable, Sendable {
    /// Grows with every answer that has other payloads.
    let payloads: Int
    let a: SampleCube.Choice
    let b: SampleCube.Choice?
    let names: [String]
  }

  /// Values that are looked at in one go, and bytes of diagnostics that are read: together they take some hundredths of a second.
  static let budget = 40_000
  static let byteBudget = 1 << 20
  /// Bytes of call stacks that are put together.
  static let stackLimit = 4 << 20

  private(set) var key: Key?
  private(set) var overview: PayloadOverview?
  private(set) var reader: DiagnosticReader?
  private(set) var groups: [DiagnosticGroup] = []
  /// Of how many diagnostics the groups are.
  private var grouped = 0
  /// The call stacks of the groups that are open.
  private(set) var outlines: [DiagnosticGroup.ID: Outline] = [:]
  private(set) var lines: [OverviewLine] = []
  private var linesKey: LinesKey?
  /// The place of the selected line.
  var selected: Int?

  /// What the lines depend on besides.
  struct LinesKey: Equatable, Sendable {
    let reckoned: Int
    let read: Int
    let open: [DiagnosticGroup.ID]
    let toggled: Set<OverviewLine.ID>
    let unfolded: [DiagnosticGroup.ID: Set<CallStackOutline.ID>]
  }

  struct Outline: Sendable {
    let places: [Int]
    let outline: CallStackOutline
    /// Diagnostics whose call stacks are not in it.
    let leftOut: Int
  }

  init() {}

  /// Whether nothing is left to be reckoned.
  var isDone: Bool { (overview?.isDone ?? true) && (reader?.isDone ?? true) }
}

extension OverviewContent {
  /// Begins anew where something else is to be shown.
  mutating func adopt(_ archive: PayloadArchive, _ key: Key) {
    guard self.key != key else { return }
    if self.key?.payloads != key.payloads {
      // What is there does not change; it may have become more.
      reader = DiagnosticReader(archive)
      outlines = [:]
    }
    (self.key, linesKey) = (key, nil)
    overview = PayloadOverview(
      archive, a: (key.names.first ?? "", key.a), b: key.b.map { (key.names.last ?? "", $0) })
    (groups, grouped) = ([], 0)
  }

  /// Reckons a little further.
  mutating func proceed(_ budgets: (values: Int, bytes: Int)) {
    overview?.reckon(budgets.values)
    reader?.read(budgets.bytes)
    guard let key, let reader, grouped != reader.facts.count else { return }
    grouped = reader.facts.count
    groups = DiagnosticGroup.groups(reader.facts, a: key.a, b: key.b)
  }

  /// Puts the call stacks of a group together; whether there is a group.
  mutating func open(_ id: DiagnosticGroup.ID) -> Bool {
    guard let group = groups.first(where: { $0.id == id }), let reader, reader.isDone else { return false }
    guard outlines[id]?.places != group.places else { return true }
    let found = reader.callStacks(of: group.places, limit: Self.stackLimit)
    outlines[id] = Outline(
      places: group.places, outline: CallStackOutline(found.stacks), leftOut: found.leftOut)
    return true
  }

  /// Puts the lines together, where something changed.
  mutating func list(
    open: [DiagnosticGroup.ID], toggled: Set<OverviewLine.ID>,
    unfolded: [DiagnosticGroup.ID: Set<CallStackOutline.ID>]
  ) {
    let key = LinesKey(
      reckoned: overview?.reckoned ?? 0, read: grouped, open: open, toggled: toggled, unfolded: unfolded)
    guard linesKey != key else { return }
    linesKey = key
    lines = OverviewList(content: self, toggled: toggled, unfolded: unfolded).lines
  }
}
