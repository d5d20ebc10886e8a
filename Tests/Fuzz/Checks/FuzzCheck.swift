/// The targets of fuzzing: one case for each reader of bytes that come from outside.
///
/// The same checks serve libFuzzer (`make fuzz`), the kept corpus in the tests, and the rows of the matrix that change
/// lines systematically or at random.
package enum FuzzCheck: String, CaseIterable, Sendable {
  /// The line splitter: places, counts and blanks against a splitter of three lines.
  case lines
  /// The whole scanner: how the bytes are cut into chunks changes nothing.
  case chunks
  /// A file read in two ranges, each with a scanner of its own.
  case ranges
  /// The three decoders against each other and Foundation's.
  case decoders
  /// Lines among others of known shapes, which change nothing.
  case shapes
  /// The JSON of a value against Foundation's decoder.
  case values
  /// Numbers against `strtod`.
  case numbers
  /// Base64 against Foundation's.
  case base64
  /// The fields of a struct value.
  case fields
  /// The library's own reader of lines against Foundation's decoder.
  case entries
  /// The saved positions of a tail.
  case positions
  /// The key decoder: how the bytes are cut changes nothing, and garbage does not pile up.
  case keys
  /// The allowlist: nothing that a terminal obeys comes out.
  case text
  /// The command line.
  case arguments
  /// The text of a configuration.
  case configurations
  /// Moments and ages on the command line.
  case times
  /// The query language.
  case queries
  /// The index of a history as it is kept.
  case index
  /// One slot of it.
  case slots
  /// The columns and the log of a sync store.
  case syncstore
  /// A scenario of the simulator, and what comes of playing it.
  case scenarios
  /// A scenario of the delivery client, and what comes of playing it.
  case deliveries
  /// The JSON of metric and diagnostic payloads, and what is written of it.
  case payloads
  /// The answer of an endpoint: its head, Retry-After, dates of HTTP.
  case answers
  /// The segments of a disk queue.
  case segments
  /// The lines of other programs.
  case foreign
  /// The mappings that a person writes, and lines read by them.
  case maps
  /// The addresses of databases.
  case addresses
  /// The rows that a database answers.
  case rows
  /// Files with symbols, their archives, and the answers of the symbolizer.
  case symbols
  /// Whole screens over a file.
  case screens

  /// Reads the input; says what is wrong about what came out.
  package func complaint(about input: UnsafeRawBufferPointer) -> String? {
    switch self {
    case .lines: ScannerChecks.lines(input)
    case .chunks: ScannerChecks.chunks(input)
    case .ranges: ScannerChecks.ranges(input)
    case .decoders: DecoderChecks.line(input)
    case .shapes: ScannerChecks.shapes(input)
    case .values: DecoderChecks.value(input)
    case .numbers: NumberChecks.number(input)
    case .base64: NumberChecks.base64(input)
    case .fields: DecoderChecks.fields(input)
    case .entries: EntryChecks.entry(input)
    case .positions: PositionChecks.positions(input)
    case .keys: TerminalChecks.keys(input)
    case .text: TerminalChecks.text(input)
    case .arguments: CommandChecks.arguments(input)
    case .configurations: ConfigurationChecks.configuration(input)
    case .times: CommandChecks.time(input)
    case .queries: QueryChecks.query(input)
    case .index: IndexChecks.index(input)
    case .slots: IndexChecks.slot(input)
    case .syncstore: SyncStoreChecks.store(input)
    case .scenarios: ScenarioChecks.scenario(input)
    case .deliveries: DeliveryScenarioChecks.scenario(input)
    case .payloads: PayloadChecks.payload(input)
    case .answers: DeliveryAnswerChecks.answer(input)
    case .segments: DiskQueueChecks.queue(input)
    case .foreign: ForeignChecks.line(input)
    case .maps: ForeignChecks.mapping(input)
    case .addresses: AddressChecks.address(input)
    case .rows: ServerRowChecks.rows(input)
    case .symbols: SymbolChecks.symbols(input)
    case .screens: ScreenChecks.screens(input)
    }
  }
}
