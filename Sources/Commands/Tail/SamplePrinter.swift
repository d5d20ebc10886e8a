import JSONLines

/// Turns the bytes of one followed file into lines of text.
struct SamplePrinter {
  private var file: FollowedScanner
  private let formatter = SampleFormatter()
  private let selection: SampleSelection
  /// True for metrics whose samples may be printed, by index.
  private var isWanted: [Bool] = []

  /// - Parameter mapping: The mapping for lines in foreign formats; `nil` to recognize the format.
  init(member: TailMember, selection: SampleSelection, mapping: LineMapping? = nil) {
    file = FollowedScanner(member: member, mapping: mapping)
    self.selection = selection
  }

  mutating func handle(_ output: TailOutput, text: inout String, report: (String) -> Void) {
    file.handle(output, report: report)
    printBatch(&text)
  }

  /// Treats a last line without a newline as complete.
  mutating func finish(text: inout String, report: (String) -> Void) {
    file.finish(report: report)
    printBatch(&text)
  }

  private mutating func printBatch(_ text: inout String) {
    for sample in file.batch.samples { print(sample, to: &text) }
    file.batch.removeAll()
  }

  private mutating func print(_ sample: Sample, to text: inout String) {
    let catalogue = file.scanner.catalogue
    for number in isWanted.count..<max(isWanted.count, catalogue.count) {
      isWanted.append(selection.admits(catalogue[MetricID(rawValue: Int32(truncatingIfNeeded: number))]))
    }
    let (metric, payload) = (catalogue[sample.metric], file.batch.payload(of: sample))
    guard isWanted[Int(sample.metric.rawValue)], selection.chooses(sample, of: metric, payload: payload)
    else { return }
    text += formatter.line(sample, metric, payload: payload) + "\n"
  }
}
