import JSONLines
import Platform

/// The accounts of all followed files, with totals for the status.
///
/// Totals are updated with each change instead of computed for each status: there may be thousands of files.
struct FileAccounts: Sendable {
  private var byMember: [Int: FileAccount] = [:]
  /// The members' numbers, ascending, and the files' names in that order.
  private var members: [Int] = []
  private(set) var names: [String] = []
  /// Rejected lines of all files, those read in part included.
  private(set) var rejected = 0
  /// Lines of all files that were read except for a value.
  private(set) var inPart = 0
  private var withRejections: Set<Int> = []
  private var withProblem: Set<Int> = []
  private var ended = 0

  var count: Int { members.count }
  /// True if more data may arrive from any file.
  var isFollowing: Bool { members.isEmpty || ended < members.count }

  subscript(member: Int) -> FileAccount? { byMember[member] }

  /// The report of each file, in order of discovery.
  var reports: [FileReport] { members.compactMap { byMember[$0]?.report } }

  /// Number of unreadable files.
  var unreadCount: Int { withProblem.count }

  /// The report of the first unreadable file.
  var firstWithProblem: FileReport? { withProblem.min().flatMap { byMember[$0]?.report } }

  /// The accounts of files with rejected lines, in order of discovery.
  var rejecting: [FileAccount] { withRejections.sorted().compactMap { byMember[$0] } }

  /// Starts the accounts of files that were found together.
  mutating func begin(_ files: some Sequence<TailMember>) {
    for member in files where byMember[member.index] == nil {
      let account = begin(member)
      count(account.report, of: member.index, 1)
      byMember[member.index] = account
    }
  }

  /// Changes the account of a file; creates a missing one.
  mutating func change<Value>(_ member: TailMember, _ body: (inout FileAccount) -> Value) -> Value {
    let index = member.index
    // Taken out of the dictionary, so that the change copies nothing.
    begin(CollectionOfOne(member))
    var account = byMember.removeValue(forKey: index) ?? FileAccount(name: member.path)
    count(account.report, of: index, -1)
    let value = body(&account)
    count(account.report, of: index, 1)
    byMember[index] = account
    return value
  }

  private mutating func begin(_ member: TailMember) -> FileAccount {
    var (low, high) = (0, members.count)
    while low < high {
      let middle = (low + high) / 2
      if members[middle] < member.index { low = middle + 1 } else { high = middle }
    }
    members.insert(member.index, at: low)
    names.insert(member.path, at: low)
    return FileAccount(name: member.path)
  }

  private mutating func count(_ report: FileReport, of index: Int, _ sign: Int) {
    let lines = report.rejected.values.reduce(0, +)
    rejected += sign * lines
    inPart += sign * report.rejected.reduce(0) { $1.key.isFlaw ? $0 + $1.value : $0 }
    if report.state == .ended { ended += sign }
    let isCounted = sign > 0
    if isCounted && lines > 0 { withRejections.insert(index) } else { withRejections.remove(index) }
    if isCounted && FeedFormatter.problem(report.state) != nil {
      withProblem.insert(index)
    } else {
      withProblem.remove(index)
    }
  }
}
