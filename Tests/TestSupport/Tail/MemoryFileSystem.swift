package import JSONLines
package import Platform

/// A file system in memory with inode reuse, symbolic links, permissions and handles that outlive names.
///
/// Only used by one thread at a time.
package final class MemoryFileSystem: TailFileSystem, @unchecked Sendable {
  package final class Inode {
    package let number: UInt64
    package var kind = FileKind.regular
    package var bytes: [UInt8] = []
    package var modified: Int64 = 0
    package var changed: Int64 = 0
    package var born: Int64 = 0
    package var links = 0
    package var isReadable = true
    package var handles = 0

    init(number: UInt64) { self.number = number }
  }

  private enum Entry {
    case inode(Inode)
    case link(String)
  }

  private var entries: [String: Entry] = [:]
  private var handles: [Int32: Inode] = [:]
  private var paths: [Int32: String] = [:]
  private var free: [UInt64] = []
  private var inodes: UInt64 = 1
  private var clock: Int64 = 0
  /// The number of calls so far, by name.
  package private(set) var calls: [String: Int] = [:]
  /// An error with which all reads fail while it is set.
  package var readFailure: FileFailure?
  /// Fails the call with this number, counted from now on, once.
  package var failingCall: (number: Int, failure: FileFailure)?
  /// Clock ticks per change; with 0, changes share a timestamp, as with coarse clocks.
  package var ticksPerChange: Int64 = 1
  /// True if creation times are reported; not all file systems do.
  package var tellsBirths = false
  /// The kind of file system that it is.
  package var mount = MountKind.local
  /// The identity of files behind a handle or a name, as on file systems of programs.
  package var identities = Identities.ofFiles
  package enum Identities: Sendable, CaseIterable {
    case ofFiles
    /// The status of a handle is that of the file that now has its name.
    case ofNames
    /// The same, and the number of a file is that of its name.
    case ofNamesAlone
  }
  /// The clock of creations and removals, which is never coarse.
  private var events: Int64 = 0

  package init() {}

  package var openHandles: Int { handles.count }

  // MARK: Operations for tests

  package func makeDirectory(_ path: String) {
    let inode = newInode()
    inode.kind = .directory
    inode.links = 1
    entries[path] = .inode(inode)
  }

  package func makeSpecial(_ path: String, _ kind: FileKind) {
    let inode = newInode()
    inode.kind = kind
    inode.links = 1
    entries[path] = .inode(inode)
  }

  /// Opens a file for appending, created if missing; `nil` if a directory is in the way.
  @discardableResult
  package func create(_ path: String) -> Inode? {
    guard let path = try? resolved(path) else { return makeFile(path) }
    if case .inode(let inode) = entries[path] { return inode.kind == .regular ? inode : nil }
    return makeFile(path)
  }

  private func makeFile(_ path: String) -> Inode? {
    guard let parent = try? find(parent(path)), parent.kind == .directory else { return nil }
    let inode = newInode()
    inode.links = 1
    entries[path] = .inode(inode)
    touch(inode)
    return inode
  }

  package func append(_ bytes: [UInt8], to inode: Inode) {
    inode.bytes += bytes
    touch(inode)
  }

  package func append(_ text: String, to path: String) {
    if let inode = create(path) { append(Array(text.utf8), to: inode) }
  }

  package func truncate(_ inode: Inode, to size: Int) {
    if size <= inode.bytes.count {
      inode.bytes.removeLast(inode.bytes.count - size)
    } else {
      inode.bytes += [UInt8](repeating: 0, count: size - inode.bytes.count)
    }
    touch(inode)
  }

  /// Overwrites bytes without a change of size.
  package func overwrite(_ inode: Inode, at offset: Int, _ text: String, touches: Bool = true) {
    let bytes = Array(text.utf8)
    inode.bytes.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    if touches { touch(inode) }
  }

  package func rename(_ old: String, _ new: String) {
    guard let entry = entries.removeValue(forKey: old) else { return }
    remove(new)
    entries[new] = entry
    if case .inode(let inode) = entry { inode.changed = nextEvent() }
  }

  package func remove(_ path: String) {
    guard let entry = entries.removeValue(forKey: path) else { return }
    if case .inode(let inode) = entry {
      inode.links -= 1
      inode.changed = nextEvent()
      release(inode)
    }
  }

  package func link(_ path: String, to target: String) {
    remove(path)
    entries[path] = .link(target)
  }

  package func copy(_ old: String, _ new: String) {
    guard let source = try? find(old) else { return }
    remove(new)
    if let copy = create(new) { append(source.bytes, to: copy) }
  }

  package func inode(_ path: String) -> Inode? { try? find(path) }

  // MARK: TailFileSystem

  package func status(ofPath path: String) throws(FileFailure) -> FileStatus {
    try count("stat")
    return status(try find(path), path)
  }

  package func status(of file: FileToken) throws(FileFailure) -> FileStatus {
    try count("fstat")
    guard let inode = handles[file.rawValue] else { throw .other(9) }
    guard identities != .ofFiles, let path = paths[file.rawValue] else { return status(inode) }
    return status(try find(path), path)
  }

  package func birth(of file: FileToken) -> Int64? {
    tellsBirths ? handles[file.rawValue]?.born : nil
  }

  package func open(_ path: String) throws(FileFailure) -> FileToken {
    try count("open")
    let inode = try find(path)
    guard inode.isReadable else { throw .denied }
    let token = hold(inode)
    paths[token.rawValue] = path
    return token
  }

  package func reopen(_ file: FileToken, at path: String, _ identity: FileIdentity) {
    guard let inode = try? find(path), status(inode, path).identity == identity,
      let old = handles.updateValue(inode, forKey: file.rawValue)
    else { return }
    inode.handles += 1
    old.handles -= 1
    release(old)
    paths[file.rawValue] = path
  }

  package func read(
    _ file: FileToken, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileFailure) -> Int {
    try count("read")
    if let readFailure { throw readFailure }
    guard let inode = handles[file.rawValue] else { throw .other(9) }
    // The system cuts off what is read at the size that it knows.
    let size = identities == .ofFiles ? inode.bytes.count : Int(try status(of: file).size)
    guard offset < min(size, inode.bytes.count) else { return 0 }
    let part = inode.bytes[..<min(size, inode.bytes.count)][Int(offset)...].prefix(buffer.count)
    buffer.copyBytes(from: part)
    return part.count
  }

  package func close(_ file: FileToken) {
    guard let inode = handles.removeValue(forKey: file.rawValue) else { return }
    paths[file.rawValue] = nil
    inode.handles -= 1
    release(inode)
  }

  package func duplicate(_ file: FileToken) throws(FileFailure) -> FileToken {
    try count("dup")
    guard let inode = handles[file.rawValue] else { throw .other(9) }
    return hold(inode)
  }

  package func resolved(_ path: String) throws(FileFailure) -> String {
    var path = path
    for _ in 0..<8 {
      switch entries[path] {
      case .link(let target): path = target
      case .inode: return path
      case nil: throw .missing
      }
    }
    throw .other(40)
  }

  package func names(in directory: String) throws(FileFailure) -> [String] {
    try count("readdir")
    guard try find(directory).isReadable else { throw .denied }
    let prefix = directory + "/"
    return entries.keys.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }.sorted()
  }

  package func mount(ofPath path: String) -> MountKind { mount }

  // MARK: Internals

  private func find(_ path: String) throws(FileFailure) -> Inode {
    let path = try resolved(path)
    guard case .inode(let inode) = entries[path] else { throw .missing }
    if path != "/", let directory = try? find(parent(path)), !directory.isReadable { throw .denied }
    return inode
  }

  private func parent(_ path: String) -> String {
    path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "/"
  }

  private func status(_ inode: Inode, _ path: String? = nil) -> FileStatus {
    let name = identities == .ofNamesAlone ? path : nil
    let number = name.map { $0.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) } } ?? inode.number
    return FileStatus(
      kind: inode.kind, identity: FileIdentity(device: 1, inode: number),
      size: UInt64(inode.bytes.count),
      modified: inode.modified, changed: inode.changed, links: inode.links)
  }

  private func newInode() -> Inode {
    let inode: Inode
    if let number = free.popLast() {
      inode = Inode(number: number)
    } else {
      inodes += 1
      inode = Inode(number: inodes)
    }
    inode.born = nextEvent()
    return inode
  }

  private func nextEvent() -> Int64 {
    events += 1
    return events
  }

  private func release(_ inode: Inode) {
    if inode.links == 0, inode.handles == 0 { free.append(inode.number) }
  }

  private func hold(_ inode: Inode) -> FileToken {
    inode.handles += 1
    let number = (0...).first { handles[$0] == nil } ?? 0
    handles[number] = inode
    return FileToken(rawValue: number)
  }

  private func touch(_ inode: Inode) {
    clock += ticksPerChange
    inode.modified = clock
    inode.changed = nextEvent()
  }

  private func count(_ call: String) throws(FileFailure) {
    calls[call, default: 0] += 1
    guard let (number, failure) = failingCall else { return }
    failingCall = number > 1 ? (number - 1, failure) : nil
    if number == 1 { throw failure }
  }
}
