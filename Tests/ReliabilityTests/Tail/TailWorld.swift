import Foundation
import JSONLines
import Platform
import TestSupport

/// Events of a followed file or its follower.
enum FileAction: Equatable {
  case write(Int), partial(permille: Int), complete, cutPartial
  case look, wait(tenths: Int)
  case rotate, lateWrite, moveAway, delete, truncate, rewrite(Int), copyTruncate, swapLink, chmod, directory
  case compact

  /// Which actions a sequence is made of.
  enum Mix: CaseIterable {
    /// After which every line can still be read.
    case gentle
    /// All but compaction, which takes lines away by intent.
    case harsh
    /// A store that its writers compact.
    case compacting
  }

  static func random(_ mix: Mix, _ random: inout SeededGenerator) -> FileAction {
    let counts = (one: 1 + Int(random.next() % 30), tenths: Int(random.next() % 30))
    let gentle: [FileAction] = [
      .write(1), .write(counts.one), .partial(permille: Int(random.next() % 1000)), .complete, .look,
      .wait(tenths: counts.tenths), .cutPartial, .chmod,
    ]
    let actions =
      switch mix {
      case .gentle: gentle + [.rotate]
      case .harsh:
        gentle + [
          .rotate, .lateWrite, .moveAway, .delete, .truncate, .rewrite(counts.one), .copyTruncate, .swapLink,
          .directory,
        ]
      case .compacting: Array(gentle.dropLast(2)) + [.look, .compact]
      }
    return actions[Int(random.next() % UInt64(actions.count))]
  }

  var simpler: [FileAction] {
    switch self {
    case .write(let count) where count > 1: [.write(1), .write(count / 2)]
    case .rewrite(let count) where count > 1: [.truncate, .rewrite(1), .rewrite(count / 2)]
    case .rewrite: [.truncate]
    case .partial(let permille) where permille != 500: [.partial(permille: 500)]
    case .wait(let tenths) where tenths > 0: [.look, .wait(tenths: 10)]
    case .copyTruncate: [.rotate, .truncate]
    default: []
    }
  }
}

/// The follower of the file: one tail driven by hand.
protocol Follower {
  /// Lines so far.
  var lines: [String] { get }
  /// How often something was said about bytes that could not be read, or about another file or place.
  var told: Int { get }
  /// True if the file under the path can be read.
  var isFollowing: Bool { get }
  /// Broken invariants besides lost and doubled lines.
  var fault: String? { get }
  /// Seconds of its own clock.
  var now: MonotonicInstant { get }
  /// Lets time pass and looks.
  func look(after seconds: Double)
  /// Looks until nothing is wanted any more.
  func settle()
}

/// A writer, the things that happen to its file, and a tail beside them.
struct TailWorld<Files: ActionFiles, Reader: Follower> {
  private let folder: String
  private let files: Files
  let reader: Reader
  private(set) var written: [String] = []
  /// Lines that went away before they were read, and how much had been told by then.
  private(set) var destroyed: [String: Int] = [:]
  private var random: SeededGenerator
  private var serial = 0
  private var half = ""
  private var rotatedAt = MonotonicInstant(-100)
  private var old: Files.Held?
  private var target = "a"
  private var isReadable = true
  /// True if something could be read of the file under the path at the last look: what comes and goes between two looks,
  /// no one can tell of, and of a file that may not be read the state tells.
  private var wasSeen = false

  private var path: String { folder + "/app.jsonl" }

  init(folder: String, files: Files, reader: Reader, seed: UInt64) {
    self.folder = folder
    self.files = files
    self.reader = reader
    random = SeededGenerator(seed: ~seed)
  }

  mutating func run(_ actions: [FileAction]) {
    for action in actions { perform(action) }
    heal()
  }

  /// The first broken invariant; `nil` if all is well.
  func fault(isExact: Bool) -> String? {
    if let fault = reader.fault { return fault }
    let emitted = Set(reader.lines)
    if emitted.count != reader.lines.count { return "doubled \(Self.short(reader.lines.repeated))" }
    if !emitted.isSubset(of: written) { return "invented \(emitted.subtracting(written).count)" }
    let missing = written.filter { !emitted.contains($0) }
    let lost = missing.filter { destroyed[$0] == nil }
    if !lost.isEmpty { return "lost \(Self.short(lost))" }
    if isExact, reader.lines != written { return "\(Self.short(missing)) missing, or another order" }
    // Emitted and told of: what went away unread must not go without a word.
    let silent = missing.filter { reader.told <= destroyed[$0] ?? 0 }
    return silent.isEmpty ? nil : "lost without a word \(Self.short(silent))"
  }

  private static func short(_ lines: [String]) -> String {
    // The number stands last.
    lines.prefix(5).map { $0.split(separator: ":").last.map { String($0.dropLast()) } ?? "?" }
      .joined(separator: " ")
  }

  private mutating func heal() {
    abandonHalf()
    if files.kind(path) == .directory { files.delete(path) }
    _ = files.hold(path)
    files.setReadable(path, true)
    reader.settle()
    reader.look(after: 5)
    reader.settle()
  }

  private mutating func perform(_ action: FileAction) {
    switch action {
    case .write(let count): write(count)
    case .partial(let permille): writePartial(permille)
    case .complete: completePartial()
    case .cutPartial: cutPartial()
    case .look: look(after: 0.01)
    case .wait(let tenths): look(after: Double(tenths) / 10)
    case .rotate: rotate()
    case .lateWrite: lateWrite()
    case .moveAway: moveAway()
    case .delete: delete()
    case .truncate: truncate()
    case .rewrite(let count): truncate(); write(count)
    case .copyTruncate: copyTruncate()
    case .swapLink: swapLink()
    case .chmod: toggleReadable()
    case .directory: replaceByDirectory()
    case .compact: compact()
    }
  }
}

// MARK: Writing

extension TailWorld {
  private mutating func line() -> String {
    serial += 1
    let padding = String(repeating: "x", count: 30 + Int(random.next() % 200))
    // The number stands first too: a file that is written anew and begins as its half line did is the same to everybody.
    return "{\"name\":\"\(serial)-\(padding)\",\"value\":\(random.next()),\"n\":\(serial)}"
  }

  private mutating func write(_ count: Int) {
    completePartial()
    guard let file = files.hold(path) else { return }
    for _ in 0..<count {
      let line = line()
      written.append(line)
      files.append(Array((line + "\n").utf8), to: file)
    }
  }

  private mutating func writePartial(_ permille: Int) {
    guard half.isEmpty, let file = files.hold(path) else { return }
    half = line()
    files.append(Array(half.utf8.prefix(1 + half.utf8.count * permille / 1000)), to: file)
  }

  private mutating func completePartial() {
    guard !half.isEmpty, files.kind(path) == .regular, let file = files.hold(path) else { return }
    let bytes = files.content(of: file)
    let start = bytes.lastIndex(of: 10).map { $0 + 1 } ?? 0
    files.append(half.utf8.dropFirst(bytes.count - start) + [10], to: file)
    written.append(half)
    half = ""
  }

  private mutating func abandonHalf() {
    completePartial()
    half = ""
  }

  private mutating func cutPartial() {
    guard !half.isEmpty, files.kind(path) == .regular, let file = files.hold(path) else { return }
    files.truncate(file, to: files.content(of: file).lastIndex(of: 10).map { $0 + 1 } ?? 0)
    half = ""
  }

  /// A writer that has not noticed the rotation yet.
  private mutating func lateWrite() {
    guard let old, files.names(of: old) > 0, reader.now - rotatedAt < 50 else { return }
    let line = line()
    written.append(line)
    if files.isLink(path) { destroyed[line] = -1 }
    files.append(Array((line + "\n").utf8), to: old)
  }
}

// MARK: Everything else

extension TailWorld {
  private mutating func look(after seconds: Double) {
    reader.look(after: seconds)
    wasSeen = files.kind(path) == .regular && !files.content(path).isEmpty && reader.isFollowing
  }

  private mutating func delete() {
    abandonHalf()
    destroy(path)
    files.delete(path)
    wasSeen = false
  }

  private var isPlainFile: Bool { files.kind(path) == .regular && !files.isLink(path) }

  private func shift() {
    for number in (1..<40).reversed() where files.kind("\(path).\(number)") != nil {
      files.move("\(path).\(number)", "\(path).\(number + 1)")
    }
  }

  private mutating func rotate() {
    abandonHalf()
    guard isPlainFile, let file = files.hold(path) else { return }
    files.setReadable(path, true)
    destroy(path + ".40")
    shift()
    files.move(path, path + ".1")
    _ = files.hold(path)
    old = file
    rotatedAt = reader.now
  }

  private mutating func moveAway() {
    abandonHalf()
    guard isPlainFile else { return }
    destroy(path)
    destroy(path + "-moved")
    files.move(path, path + "-moved")
    wasSeen = false
  }

  private mutating func truncate() {
    abandonHalf()
    guard files.kind(path) == .regular, let file = files.hold(path) else { return }
    destroy(path)
    files.truncate(file, to: 0)
  }

  private mutating func copyTruncate() {
    abandonHalf()
    guard isPlainFile, let file = files.hold(path) else { return }
    destroy(path + ".40")
    shift()
    files.duplicate(path, path + ".1")
    // Only a copy that can be told from foreign files keeps the lines; else they count as destroyed.
    destroy(path)
    files.truncate(file, to: 0)
  }

  private mutating func swapLink() {
    abandonHalf()
    destroy(path)
    // A link that leads back to the held file is followed at once, without a look at what was rotated between.
    for number in 1..<42 { destroy("\(path).\(number)") }
    target = target == "a" ? "b" : "a"
    _ = files.hold("\(folder)/target-\(target)")
    if !files.isLink(path) { files.delete(path) }
    files.makeLink(path, to: "\(folder)/target-\(target)")
    wasSeen = false
  }

  /// For root, modes count in memory only.
  private mutating func toggleReadable() {
    isReadable.toggle()
    files.setReadable(path, isReadable)
  }

  private mutating func replaceByDirectory() {
    abandonHalf()
    destroy(path)
    let wasDirectory = files.kind(path) == .directory
    files.delete(path)
    if !wasDirectory { files.makeFolder(path) }
    wasSeen = false
  }

  /// Keeps the newer half, as `optimize` does: a new file takes the place of the old one.
  private mutating func compact() {
    abandonHalf()
    guard isPlainFile else { return }
    let lines = files.content(path).split(separator: 10)
    destroy(path)
    files.delete(path + ".tmp")
    if let copy = files.hold(path + ".tmp") {
      files.append(lines.suffix(lines.count - lines.count / 2).flatMap { Array($0) + [10] }, to: copy)
    }
    files.move(path + ".tmp", path)
  }

  /// Lines in a file that goes away, as far as they were not delivered yet, may be lost.
  private mutating func destroy(_ path: String) {
    guard files.kind(path) == .regular else { return }
    let read = Set(reader.lines)
    for line in files.content(path).split(separator: 10).map({ String(decoding: $0, as: UTF8.self) })
    where !read.contains(line) && destroyed[line] == nil {
      destroyed[line] = wasSeen ? reader.told : -1
    }
  }
}

extension [String] {
  /// Those that are there more than once.
  fileprivate var repeated: [String] {
    Dictionary(grouping: self) { $0 }.filter { $0.value.count > 1 }.map(\.key)
  }
}
