import ClickHouse
import JSONLines

/// One followed file whose samples are sent.
struct ShippedFile {
  /// A step of the delivery.
  enum Step {
    /// A position at which a stream begins: saved before anything of the stream is sent.
    case save(TailPosition)
    case send(Block)
  }

  private var file: FollowedScanner
  private var streams: FileStreams
  private var cutter: BlockCutter
  private var steps: [Step] = []
  /// The position after everything that was taken; `nil` if nothing was.
  private(set) var position: TailPosition?
  /// The position at which reading continued last.
  private var start: TailPosition?
  private var hasReportedTimes = false

  init(member: TailMember, host: String, mapping: LineMapping?, streams: FileStreams) {
    file = FollowedScanner(member: member, mapping: mapping)
    cutter = BlockCutter(host: host)
    self.streams = streams
  }

  var path: String { file.member.path }

  /// The size of what waits.
  var waiting: (bytes: Int, rows: Int) {
    steps.reduce(cutter.waiting) { sum, step in
      guard case .send(let block) = step else { return sum }
      return (sum.bytes + block.bytes.count, sum.rows + block.rows.count)
    }
  }

  mutating func handle(_ output: TailOutput, from tail: FileTail, report: (String) -> Void) {
    if case .restarted(let restart) = output, let front = tail.front {
      streams.restarted(restart, in: front)
      start = tail.position
    }
    file.handle(output, report: report)
    for sample in file.batch.samples {
      let row = SampleRow(
        sample, of: file.scanner.catalogue[sample.metric], file.batch.payload(of: sample))
      guard let row else {
        reportTimes(report)
        continue
      }
      if streams.begins(at: row.nanoseconds), let start {
        cut()
        steps.append(.save(streams.numbered(start)))
      }
      guard let place = streams.nextPlace() else { continue }
      if let block = cutter.append(row, stream: place.stream, number: place.next) {
        steps.append(.send(block))
      }
    }
    file.batch.removeAll()
    position = tail.position.map(streams.numbered)
  }

  /// Everything that waits.
  mutating func takeSteps() -> [Step] {
    cut()
    defer { steps = [] }
    return steps
  }

  private mutating func cut() {
    if let block = cutter.cut() { steps.append(.send(block)) }
  }

  private mutating func reportTimes(_ report: (String) -> Void) {
    if !hasReportedTimes { report("\(path): samples before 1970 and after 2106 are not sent") }
    hasReportedTimes = true
  }
}
