import Foundation
import JSONLines
import TestSupport
import Testing

/// Random changes of the followed file, compared with a plain list of the lines that were written.
@Suite("Tail against a list of written lines")
struct TailModelTests {
  @Test("without destruction every line comes once and in order", arguments: 0..<8)
  func exact(_ block: UInt64) {
    for seed in (block * 100)..<(block * 100 + 100) {
      var world = TailWorld(seed: seed, actions: TailWorld.Action.gentle)
      world.run(steps: 60)
      let isEqual = world.reader.lines == world.written
      #expect(isEqual, "seed \(seed): \(world.difference) after \(world.history)")
      if !isEqual { return }
    }
  }

  @Test("compaction brings nothing back", arguments: 0..<2)
  func compacted(_ block: UInt64) {
    for seed in (block * 50)..<(block * 50 + 50) {
      var world = TailWorld(seed: seed, actions: TailWorld.Action.compacted)
      world.run(steps: 60)
      let fault = world.fault
      #expect(fault == nil, "seed \(seed): \(fault ?? "") after \(world.history)")
      if fault != nil { return }
    }
  }

  @Test("with destruction nothing comes twice, and what is missing was destroyed unread", arguments: 0..<8)
  func bounded(_ block: UInt64) {
    for seed in (block * 200)..<(block * 200 + 200) {
      var world = TailWorld(seed: seed, actions: TailWorld.Action.harsh)
      world.run(steps: 60)
      let fault = world.fault
      #expect(fault == nil, "seed \(seed): \(fault ?? "") after \(world.history)")
      if fault != nil { return }
    }
  }
}

/// A writer, the things that happen to its file, and a tail beside them.
struct TailWorld {
  enum Action: CaseIterable {
    case write, burst, partial, complete, look, wait, rotate, lateWrite, moveAway
    case delete, truncate, rewrite, copyTruncate, swapLink, chmod, directory, cutPartial, compact

    /// All but compaction, which has its own run.
    static let harsh = allCases.filter { $0 != .compact }
    /// A store that is compacted and rotated by its writers.
    static let compacted: [Action] = [.write, .burst, .partial, .complete, .look, .look, .wait, .compact]

    /// Those after which every line can still be read.
    static let gentle: [Action] = [
      .write, .burst, .partial, .complete, .look, .wait, .rotate, .cutPartial, .chmod,
    ]
  }

  let path = "/logs/app.jsonl"
  let files = MemoryFileSystem()
  let reader: TailReader
  private let actions: [Action]
  private var random: SeededGenerator
  private(set) var written: [String] = []
  private(set) var destroyed: Set<String> = []
  private(set) var history: [String] = []
  private var serial = 0
  private var pendingHalf = ""
  private var rotatedAt = -100.0
  private var old: MemoryFileSystem.Inode?
  private var target = "a"

  init(seed: UInt64, actions: [Action]) {
    self.actions = actions
    random = SeededGenerator(seed: seed)
    files.makeDirectory("/")
    files.makeDirectory("/logs")
    files.ticksPerChange = seed % 3 == 0 ? 0 : 1
    if seed % 2 == 0 { files.create(path) }
    reader = TailReader(path, files)
    reader.look()
  }

  mutating func run(steps: Int) {
    for _ in 0..<steps {
      let action = actions[Int(random.next() % UInt64(actions.count))]
      history.append("\(action)")
      perform(action)
    }
    heal()
  }

  /// What must not be, whatever happened; `nil` if all is well.
  var fault: String? {
    let emitted = Set(reader.lines)
    let lost = Set(written).subtracting(emitted).subtracting(destroyed)
    if !lost.isEmpty { return "lost \(lost.map(Self.short).sorted())" }
    if emitted.count != reader.lines.count {
      return
        "doubled \(Dictionary(grouping: reader.lines) { $0 }.filter { $0.value.count > 1 }.keys.map(Self.short).sorted())"
    }
    if !emitted.isSubset(of: written) { return "invented \(emitted.subtracting(written).map(Self.short))" }
    if reader.jumps > 0 { return "offsets jump" }
    return files.openHandles > 1 ? "descriptors leak" : nil
  }

  var difference: String {
    "\(reader.lines.map(Self.short).difference(from: written.map(Self.short)).map { "\($0)" }.prefix(4))"
  }

  private static func short(_ line: String) -> String {
    line.range(of: "\"time\":").map { String(line[$0.upperBound...].prefix { $0 != "," }) } ?? "?"
  }

  private mutating func heal() {
    abandonHalf()
    if files.inode(path)?.kind == .directory { files.remove(path) }
    files.create(path)?.isReadable = true
    reader.settle()
    reader.look(after: 5)
    reader.settle()
  }

  private mutating func perform(_ action: Action) {
    switch action {
    case .write: write(1)
    case .burst: write(Int(random.next() % 40))
    case .partial: writePartial()
    case .complete: completePartial()
    case .look: reader.look(after: 0.01)
    case .wait: reader.look(after: Double(random.next() % 30) / 10)
    case .rotate: rotate()
    case .lateWrite: lateWrite()
    case .moveAway: move()
    case .delete: abandonHalf(); destroy(path); files.remove(path)
    case .truncate: truncate()
    case .rewrite: truncate(); write(1 + Int(random.next() % 30))
    case .copyTruncate: copyTruncate()
    case .swapLink: swapLink()
    case .chmod: files.inode(path)?.isReadable.toggle()
    case .directory: replaceByDirectory()
    case .cutPartial: cutPartial()
    case .compact: compact()
    }
  }

  private mutating func line() -> String {
    serial += 1
    let padding = String(repeating: "x", count: 30 + Int(random.next() % 200))
    return "{\"name\":\"\(padding)\",\"time\":\(serial),\"value\":\(random.next())}"
  }

  private mutating func write(_ count: Int) {
    completePartial()
    guard let inode = writable() else { return }
    for _ in 0..<count {
      let line = line()
      written.append(line)
      files.append((line + "\n").utf8, to: inode)
    }
  }

  /// The file that a writer gets when it opens the path now.
  private func writable() -> MemoryFileSystem.Inode? {
    files.inode("/logs")?.isReadable == false ? nil : files.create(path)
  }

  private mutating func writePartial() {
    guard pendingHalf.isEmpty, let inode = writable() else { return }
    let line = line()
    let cut = Int(random.next() % UInt64(line.utf8.count)) + 1
    files.append(line.utf8.prefix(cut), to: inode)
    pendingHalf = line
  }

  private mutating func completePartial() {
    guard !pendingHalf.isEmpty, let inode = files.inode(path), inode.kind == .regular else { return }
    let start = inode.bytes.lastIndex(of: 10).map { $0 + 1 } ?? 0
    let rest = pendingHalf.utf8.dropFirst(inode.bytes.count - start)
    files.append(rest + [10], to: inode)
    written.append(pendingHalf)
    pendingHalf = ""
  }

  /// A healing writer: what is torn is ended by a newline, and is no line of ours.
  private mutating func abandonHalf() {
    completePartial()
    pendingHalf = ""
  }

  private mutating func cutPartial() {
    guard !pendingHalf.isEmpty, let inode = files.inode(path) else { return }
    files.truncate(inode, to: inode.bytes.lastIndex(of: 10).map { $0 + 1 } ?? 0)
    pendingHalf = ""
  }

  private mutating func rotate() {
    abandonHalf()
    guard let inode = files.inode(path), inode.kind == .regular, (try? files.resolved(path)) == path else {
      return
    }
    inode.isReadable = true
    destroy(path + ".40")
    for number in (1..<40).reversed() where files.inode("\(path).\(number)") != nil {
      files.rename("\(path).\(number)", "\(path).\(number + 1)")
    }
    files.rename(path, path + ".1")
    files.create(path)
    old = inode
    rotatedAt = reader.now
  }

  /// A writer that has not noticed the rotation yet.
  private mutating func lateWrite() {
    guard let old, old.links > 0, reader.now - rotatedAt < 0.9 else { return }
    let line = line()
    written.append(line)
    if (try? files.resolved(path)) != path { destroyed.insert(line) }
    files.append((line + "\n").utf8, to: old)
  }

  private mutating func move() {
    abandonHalf()
    guard (try? files.resolved(path)) == path, files.inode(path)?.kind == .regular else { return }
    destroy(path)
    destroy(path + "-moved")
    files.rename(path, path + "-moved")
  }

  private mutating func truncate() {
    abandonHalf()
    destroy(path)
    if let inode = files.inode(path), inode.kind == .regular { files.truncate(inode) }
  }

  private mutating func copyTruncate() {
    abandonHalf()
    guard let inode = files.inode(path), inode.kind == .regular, (try? files.resolved(path)) == path else {
      return
    }
    for number in (1..<40).reversed() where files.inode("\(path).\(number)") != nil {
      files.rename("\(path).\(number)", "\(path).\(number + 1)")
    }
    destroy(path + ".41")
    files.copy(path, path + ".1")
    // Only a copy that can be told from foreign files keeps the lines; else they count as destroyed.
    destroy(path)
    files.truncate(inode)
  }

  private mutating func swapLink() {
    abandonHalf()
    destroy(path)
    // A link that leads back to the held file is followed at once, without a look at what was rotated between.
    for number in 1..<42 { destroy("\(path).\(number)") }
    target = target == "a" ? "b" : "a"
    files.create("/logs/target-\(target)")
    if (try? files.resolved(path)) == path { files.remove(path) }
    files.link(path, to: "/logs/target-\(target)")
  }

  private mutating func replaceByDirectory() {
    abandonHalf()
    destroy(path)
    if files.inode(path)?.kind == .directory {
      files.remove(path)
    } else {
      files.remove(path)
      files.makeDirectory(path)
    }
  }

  /// Keeps the newer half, as `optimize` does: a new file takes the place of the old one.
  private mutating func compact() {
    abandonHalf()
    guard let inode = files.inode(path), inode.kind == .regular, (try? files.resolved(path)) == path else {
      return
    }
    let lines = inode.bytes.split(separator: 10)
    destroy(path)
    let kept = lines.suffix(lines.count - lines.count / 2)
    files.remove(path + ".tmp")
    if let copy = files.create(path + ".tmp") { files.append(kept.flatMap { Array($0) + [10] }, to: copy) }
    files.rename(path + ".tmp", path)
  }

  /// Lines in a file that goes away, as far as they were not delivered yet, may be lost.
  private mutating func destroy(_ path: String) {
    guard let inode = files.inode(path), inode.kind == .regular else { return }
    let lines = inode.bytes.split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
    destroyed.formUnion(Set(lines).subtracting(reader.lines))
  }
}
