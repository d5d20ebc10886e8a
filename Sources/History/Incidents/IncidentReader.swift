package import Aggregation
import JSONLines
package import Platform

/// Finds the incidents of files, continuing where it last stopped.
///
/// A file and its rotated files form one sequence, read from the oldest line to the newest; other files are watched
/// separately, even if they share metrics. Nothing is read twice, unless a file was truncated or replaced.
///
/// Confined to one thread.
package final class IncidentReader {
  /// Maximum bytes read before `advance` returns.
  private static let portion: UInt64 = 4 << 20
  private static let chunkSize = 256 << 10

  /// The state of one sequence of files.
  private struct Course {
    var log: IncidentLog
    var fold = IncidentFold()
    var scanner = SampleScanner()
    /// The files read so far, oldest first, and the position reached in each.
    var positions: [(file: FileIdentity, end: UInt64)] = []
  }

  private let newest: UInt64
  private let sensitivity: DetectionBudget.Sensitivity
  private let subjects: @Sendable (SeriesIdentity) -> SeriesDetector.Subjects
  private var courses: [PathKey: Course] = [:]
  private var latest = Timestamp(.infinity)
  private let room: UnsafeMutableRawBufferPointer

  /// - Parameters:
  ///   - newest: bytes at the end of all sequences together that are read initially.
  ///   - sensitivity: the number of false lines allowed for all series of a sequence together.
  ///   - subjects: the subjects to look for in a series.
  package init(
    newest: UInt64 = .max, sensitivity: DetectionBudget.Sensitivity = .normal,
    _ subjects: @escaping @Sendable (SeriesIdentity) -> SeriesDetector.Subjects
  ) {
    (self.newest, self.sensitivity, self.subjects) = (newest, sensitivity, subjects)
    room = .allocate(byteCount: Self.chunkSize + FileScan.slack, alignment: 64)
    room.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit { room.deallocate() }

  /// All incidents found so far, in order of start.
  package var entries: [IncidentLog.Entry] {
    courses.values.flatMap(\.log.entries).sorted { $0.precedes($1) }
  }

  /// The extent to which the files are watched.
  package var watch: IncidentWatch {
    let logs = courses.values.map(\.log)
    return IncidentWatch(
      count: logs.reduce(0) { $0 + $1.knownCount }, changes: logs.flatMap(\.smallestChanges))
  }

  /// The longest usual pauses of the steady series, in seconds.
  package var pauses: [SeriesIdentity: Double] {
    courses.values.reduce(into: [:]) { $0.merge($1.log.pauses, uniquingKeysWith: max) }
  }

  /// Continues reading the files of a history.
  ///
  /// - Parameters:
  ///   - files: the files of the history, each after its rotated predecessors.
  ///   - latest: time after which samples are ahead of the clock.
  /// - Returns: true if there is more to read.
  /// - Throws: the system error.
  package func advance(_ files: [HistoryFile], until latest: Timestamp) throws -> Bool {
    var left = Self.portion
    let groups = HistoryNames.courses(of: files, name: \.name)
    courses = courses.filter { groups[$0.key] != nil }
    self.latest = latest
    for (base, members) in groups.sorted(by: { $0.key < $1.key }) {
      try advance(base, members, newest / UInt64(groups.count), &left)
      if left == 0 { return true }
    }
    return false
  }

  private func advance(
    _ base: PathKey, _ files: [HistoryFile], _ newest: UInt64, _ left: inout UInt64
  ) throws {
    let identities = try files.map { try $0.bytes.status.identity }
    let beginning = Course(log: IncidentLog(sensitivity: sensitivity, subjects))
    var course = courses[base] ?? beginning
    if !goesOn(course, identities, files) { course = beginning }
    course.log.latest = latest.seconds
    defer { courses[base] = course }
    var skipped = files.reduce(0) { $0 &+ $1.wholeEnd }
    skipped -= min(skipped, newest)
    for (file, identity) in zip(files, identities) {
      let known = course.positions.firstIndex { $0.file == identity }
      let place = known ?? course.positions.count
      let begin = min(file.wholeEnd, skipped)
      skipped -= begin
      if known == nil { course.positions.append((identity, begin)) }
      let start = course.positions[place].end
      let end = min(file.wholeEnd, start + left)
      guard end > start else { continue }
      let reached = try read(file, start..<end, &course)
      course.positions[place].end = reached
      left -= min(left, reached - start)
      if left == 0 { return }
    }
  }

  /// True if the files are those that were read, possibly without the oldest and with additional ones.
  private func goesOn(_ course: Course, _ identities: [FileIdentity], _ files: [HistoryFile]) -> Bool {
    let known = course.positions.map(\.file)
    guard let first = identities.first(where: known.contains), let start = known.firstIndex(of: first) else {
      return known.isEmpty
    }
    let rest = known[start...]
    guard identities.count >= rest.count, Array(identities.prefix(rest.count)) == Array(rest) else {
      return false
    }
    return zip(course.positions[start...], files).allSatisfy { $0.end <= $1.size }
  }

  /// Reads the lines that begin in a range; returns the end of the last one.
  private func read(_ file: HistoryFile, _ range: Range<UInt64>, _ course: inout Course) throws -> UInt64 {
    course.scanner.mapping = file.bytes.mapping
    var reader = RangeReader(range: range, scanner: course.scanner)
    defer { course.scanner = reader.scanner }
    var batch = SampleBatch()
    let buffer = UnsafeMutableRawBufferPointer(rebasing: room[..<Self.chunkSize])
    while !reader.isDone {
      let count = try file.bytes.read(into: buffer, at: reader.position)
      reader.take(UnsafeRawBufferPointer(rebasing: buffer[..<count]), into: &batch)
      course.fold.fold(batch, reader.scanner.catalogue, into: &course.log)
      batch.removeAll()
      if reader.scanner.forgetManyMetrics() { course.fold = IncidentFold() }
    }
    return max(reader.position, range.upperBound)
  }
}
