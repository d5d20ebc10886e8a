import Essentials
import Platform

/// The contents of a whole segment, read once when a queue is opened.
struct SegmentScan {
  var segment: Segment
  /// True if the format version is known.
  let hasVersion: Bool
  /// Events missing before the last intact one.
  let lost: Int
  /// The reader's place at the end.
  let place: SegmentReader.Place
  /// The size of the file in bytes.
  let size: Int
  /// Events that cannot be read behind the last intact one, at least: a record that was cut counts, zeros that a power
  /// failure left do not.
  let tailDamages: Int

  init(_ path: String, id: Int, in folder: SegmentFolder) throws(FileFailure) {
    var window = try folder.window(path)
    let header = try window.bytes(at: 0, count: min(window.size, SegmentHeader.size))
    let checkpoint = SegmentHeader.checkpoint(in: header)
    var segment = Segment(
      id: id, path: path, checkpoint: checkpoint ?? .init(base: 0, first: 0, generation: 0), next: 0, size: 0,
      records: 0, remaining: 0, hasCheckpoint: checkpoint != nil)
    var reader = SegmentReader(window, first: segment.first, from: segment.start)
    while let found = try reader.next() {
      // Damage before this event belongs to this segment, so that the previous one does not count it.
      if checkpoint == nil, segment.remaining == 0 {
        segment.checkpoint.base = found.number - Int64(clamping: reader.lost)
      }
      segment.remaining += 1
    }
    (segment.size, segment.records) = (reader.end, reader.records)
    segment.next = reader.place.next ?? segment.base
    self.segment = segment
    hasVersion = SegmentHeader.hasVersion(header)
    (lost, place, size) = (reader.lost, reader.place, window.size)
    let endsWhole = try window.isZero(from: reader.end)
    tailDamages = max(reader.place.damages, endsWhole ? 0 : 1)
  }

  /// True if it contains only removed events: it then reveals nothing about its neighbours.
  var isConsumed: Bool {
    hasVersion && segment.records > 0 && segment.remaining == 0 && lost == 0 && place.damages == 0
  }

  /// True if its event numbers are known, so that it can be ordered among the others.
  var hasPlace: Bool { segment.hasCheckpoint || segment.remaining > 0 }

  /// The number of its events that cannot be delivered, as far as known.
  var losses: Int {
    let behind = segment.following == nil ? tailDamages : segment.lost(behind: place)
    let losses = lost.adding(behind).adding(hasVersion ? 0 : segment.remaining)
    // Segments are created with events: one without any has lost some.
    return segment.records == 0 ? max(1, losses) : losses
  }
}

extension SegmentQueue {
  /// Opens a queue: deletes leftovers of a killed process, and sets aside unreadable files.
  init(_ folder: SegmentFolder, limits: Segment.Limits) throws(StorageFailure) {
    self.init(folder: folder, limits: limits)
    var scans: [SegmentScan] = []
    for (path, entry) in try folder.entries() {
      switch entry {
      case .other, .setAside: break
      case .leftover: Posix.unlink(path)
      case .unknown: damage.files.append(folder.setAside(path))
      case .segment: if let scan = try scan(path) { scans.append(scan) }
      }
    }
    for scan in scans where scan.isConsumed {
      damage.events = damage.events.adding(scan.tailDamages)
      Posix.unlink(scan.segment.path)
    }
    adopt(scans.filter { !$0.isConsumed })
    // Damaged files that were set aside or deleted must not return; reading alone requires no write access.
    if !damage.isEmpty { try? folder.sync() }
  }

  /// Reads a segment, or sets an unreadable one aside.
  private mutating func scan(_ path: String) throws(StorageFailure) -> SegmentScan? {
    do {
      return try SegmentScan(path, id: newID(), in: folder)
    } catch {
      guard error != .missing else { return nil }
      guard error != .exhausted, error.number != ENOMEM else { throw StorageFailure(error, path) }
      damage.files.append(folder.setAside(path))
      return nil
    }
  }

  /// Sorts segments by their events, regardless of file names, and counts missing events.
  private mutating func adopt(_ found: [SegmentScan]) {
    var scans = found.filter(\.hasPlace).sorted {
      ($0.segment.base, $0.segment.path) < ($1.segment.base, $1.segment.path)
    }
    for index in scans.indices.dropLast() { scans[index].segment.following = scans[index + 1].segment.base }
    // A segment without a place has left a gap, whose events are counted once reading reaches it.
    var gaps = scans.dropLast().reduce(0) { $0.adding($1.segment.lost(behind: $1.place)) }
    for scan in found where !scan.hasPlace {
      discard(scan, counted: gaps)
      gaps -= min(gaps, scan.losses)
    }
    let isUsed = { (scan: SegmentScan) in scan.hasVersion && scan.segment.remaining > 0 }
    let last = scans.last(where: isUsed)?.segment.id
    for scan in scans {
      guard isUsed(scan) else {
        discard(scan)
        continue
      }
      segments.append(scan.segment.id == last ? ready(scan) : scan.segment)
    }
    next = segments.last?.next ?? 0
  }

  /// Drops a segment without deliverable events.
  ///
  /// - Parameter counted: Events of the segment counted elsewhere.
  private mutating func discard(_ scan: SegmentScan, counted: Int = 0) {
    damage.events = damage.events.adding(max(0, scan.losses - counted))
    // A file without readable records is kept for a version that can read it.
    if scan.hasVersion, scan.segment.records > 0 {
      Posix.unlink(scan.segment.path)
    } else {
      damage.files.append(folder.setAside(scan.segment.path))
    }
  }

  /// The last segment, truncated behind its last intact record so that it can grow.
  private mutating func ready(_ scan: SegmentScan) -> Segment {
    var segment = scan.segment
    segment.following = nil
    guard scan.size > segment.size else { return segment }
    damage.events = damage.events.adding(scan.tailDamages)
    do { try folder.cut(segment.path, to: segment.size) } catch { segment.isDoubtful = true }
    return segment
  }
}
