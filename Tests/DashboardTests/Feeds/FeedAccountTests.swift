import JSONLines
import Platform
import Testing

@testable import DashboardCore

@Suite("The account of a feed")
struct FeedAccountTests {
  private func rejection(_ line: Int, _ offset: UInt64) -> Rejection {
    Rejection(reason: .notJSON, line: line, offset: offset, excerpt: [])
  }

  private func log(_ rejections: Rejection...) -> RejectionLog {
    var log = RejectionLog()
    for rejection in rejections { log.append(rejection) }
    return log
  }

  @Test("line numbers are known when all that was before has been read, whatever the order")
  func numbering() {
    var ledger = FileAccount(name: "a")
    ledger.willRead(blocks: 2)
    ledger.read(to: 300, lines: 3, rejected: log(rejection(2, 250)), before: RejectionLog())
    ledger.readEarlier(100..<200, lines: 10, rejected: log(rejection(4, 140)))
    #expect(ledger.rejections(limit: 9).map(\.line) == [nil, nil])
    #expect(ledger.rejections(limit: 9).map(\.rejection.offset) == [140, 250])
    ledger.readEarlier(0..<100, lines: 20, rejected: log(rejection(1, 0)))
    #expect(ledger.rejections(limit: 9).map(\.line) == [1, 24, 32])
    #expect(ledger.rejections(limit: 2).map(\.line) == [24, 32])
    #expect(ledger.report.lines == 33)
    #expect(ledger.report.rejected == [.notJSON: 3])
  }

  @Test
  func `of ever so many pieces with bad lines no more are kept than are shown, the last ones`() {
    var ledger = FileAccount(name: "a")
    let (pieces, limit) = (UInt64(3), FileAccount.rejectionLimit)
    ledger.willRead(blocks: Int(pieces))
    for piece in (0..<pieces).reversed() {
      var bad = RejectionLog()
      for line in 1...150 { bad.append(rejection(line, piece * 1000 + UInt64(line))) }
      ledger.readEarlier(piece * 1000..<(piece + 1) * 1000, lines: 150, rejected: bad)
      #expect(ledger.rejections(limit: .max).count <= limit)
    }
    #expect(ledger.rejections(limit: .max).map(\.line) == (251...450).map(Optional.some))
    #expect(ledger.report.rejected == [.notJSON: 450])
  }

  @Test("only rejections since the last account are added")
  func growth() {
    var ledger = FileAccount(name: "a")
    let first = log(rejection(1, 0))
    ledger.read(to: 10, lines: 1, rejected: first, before: RejectionLog())
    ledger.read(to: 20, lines: 1, rejected: log(rejection(1, 0), rejection(2, 10)), before: first)
    #expect(ledger.rejections(limit: 9).map(\.line) == [1, 2])
    #expect(ledger.report.rejected == [.notJSON: 2])
  }

  @Test("no line number is named where a file is read on in its middle")
  func middle() {
    var ledger = FileAccount(name: "a")
    ledger.saw(TailRestart(reason: .rotated, offset: 0))
    ledger.read(to: 10, lines: 1, rejected: log(rejection(1, 0)), before: RejectionLog())
    #expect(ledger.rejections(limit: 9).map(\.line) == [1])
    ledger.saw(TailRestart(reason: .resumed, offset: 900))
    #expect(ledger.rejections(limit: 9).map(\.line) == [nil])
    ledger.saw(TailRestart(reason: .rotated, offset: 0))
    #expect(ledger.rejections(limit: 9).map(\.line) == [1])
  }

  @Test("gaps and restarts are counted by their reasons")
  func counts() {
    var ledger = FileAccount(name: "a")
    for reason in TailRestart.Reason.allCases { ledger.saw(TailRestart(reason: reason, offset: 0)) }
    ledger.saw(TailGap(reason: .truncated, bytes: 5))
    ledger.saw(TailGap(reason: .truncated, bytes: 7))
    ledger.saw(TailGap(reason: .overwritten, bytes: 0))
    #expect(ledger.report.rotations == 2)
    #expect(ledger.report.truncations == 1)
    #expect(ledger.report.gaps == [.truncated: 12, .overwritten: 0])
  }

  @Test("the rate is that of the last five seconds and fades to nothing")
  func rate() {
    var rate = LineRate()
    #expect(rate.perSecond(at: Timestamp(100)) == 0)
    for second in 100..<120 { rate.count(50, at: Timestamp(Double(second) + 0.5)) }
    #expect(rate.perSecond(at: Timestamp(119.99)) > 45)
    #expect(rate.perSecond(at: Timestamp(119.99)) < 65)
    #expect(rate.perSecond(at: Timestamp(130)) == 0)
    #expect(LineRate().perSecond(at: .distantPast) == 0)
  }

  @Test("progress tells bytes and rate")
  func progress() {
    var progress = EarlierProgress(startedAt: Timestamp(10))
    progress.total = 1000
    #expect(progress.report(at: Timestamp(10)) == FeedProgress(done: 0, total: 1000))
    progress.done = 400
    #expect(progress.report(at: Timestamp(12)) == FeedProgress(done: 400, total: 1000, perSecond: 200))
  }

  @Test(
    "each state that keeps a file from being read has its words",
    arguments: [
      (TailState.missing, "a is not there yet; it is read once it appears"),
      (.noPermission, "a cannot be read: permission denied"),
      (.notAFile(.directory), "a is a folder now"),
      (.notAFile(.fifo), "a is a FIFO; read it through standard input: mistertop - < FIFO"),
      (.notAFile(.socket), "a is a socket, not a file"),
      (.notAFile(.device), "a is a device, not a file"),
      (.failing(5), "a cannot be read: Input/output error; retrying"),
    ])
  func problems(_ state: TailState, _ words: String) {
    #expect(FeedFormatter.problem(state, of: "a") == words)
  }

  @Test("a file whose name is no UTF-8 is not said to be missing")
  func nameless() {
    let name = String(decoding: [0x61, 0xFF], as: UTF8.self)
    #expect(
      FeedFormatter.problem(.missing, of: name) == "\(name) is skipped: its name is not valid UTF-8")
    #expect(FeedFormatter.problem(.noPermission, of: name) == "\(name) cannot be read: permission denied")
  }

  @Test("a file goes by its own name; its folder helps where two have the same one")
  func fileNames() {
    let names = FileNames(["/a/long/way/app.jsonl", "/a/b/log.jsonl", "/a/c/log.jsonl", "-", "/"])
    #expect(names.short("/a/long/way/app.jsonl") == "app.jsonl")
    #expect(names.short("/a/b/log.jsonl") == "b/log.jsonl")
    #expect(names.short("/a/c/log.jsonl") == "c/log.jsonl")
    #expect(names.short("-") == "standard input")
    #expect(names.short("/") == "/")
  }

  @Test("nothing is said while all is well", arguments: [TailState.starting, .following, .ended])
  func noProblem(_ state: TailState) {
    #expect(FeedFormatter.problem(state, of: "a") == nil)
  }

  @Test(
    "each gap has its words",
    arguments: [
      (TailGap(reason: .truncated, bytes: 7), "7 bytes or more cut away before being read"),
      (TailGap(reason: .overwritten, bytes: 0), "an unknown amount rotated away before being read"),
      (TailGap(reason: .halfLine, bytes: 3), "3 bytes of an unterminated line"),
      (TailGap(reason: .unreadable, bytes: 9), "9 bytes or more could not be read"),
    ])
  func gaps(_ gap: TailGap, _ words: String) {
    #expect(FeedFormatter.text(gap) == words)
  }
}
