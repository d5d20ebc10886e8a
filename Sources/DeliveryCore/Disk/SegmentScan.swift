import Essentials
import Platform

/// The contents of a whole segment, read once when a queue is opened.
struct SegmentScan {
  var segment: Segment
  /// True if its header says that we can read it.
  let hasVersion: Bool
  /// How many events are missing before the last good one.
  let lost: Int
  /// Where reading came to its end.
  let place: SegmentReader.Place
  /// Bytes of the file.
  let size: Int

  /// Reads a file.
  init(_ path: String, id: Int, in folder: SegmentFolder) throws(FileFailure) {
    var window = try folder.window(path)
    let header = try window.bytes(at: 0, count: min(window.size, SegmentHeader.size))
    let checkpoint = SegmentHeader.checkpoint(in: header)
    var segment = Segment(
      id: id, path: path, checkpoint: checkpoint ?? .init(base: 0, first: 0, generation: 0), next: 0, size: 0,
      records: 0, remaining: 0, hasCheckpoint: checkpoint != nil)
    var reader = SegmentReader(window, first: segment.first, from: segment.start)
    while let found = try reader.next() {
      // Damage before it is this segment's own, so that no one counts it for the one before.
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
  }

  /// True if it has only removed events: then it says nothing about its neighbours.
  var isConsumed: Bool {
    hasVersion && segment.records > 0 && segment.remaining == 0 && lost == 0 && place.damages == 0
  }

  /// True if it is known which numbers its events have, so that it has a place among the others.
  var hasPlace: Bool { segment.hasCheckpoint || segment.remaining > 0 }

  /// How many of its events cannot be delivered, as far as that is known.
  var losses: Int {
    let behind = segment.following == nil ? place.damages : segment.lost(behind: place)
    let losses = lost.adding(behind).adding(hasVersion ? 0 : segment.remaining)
    // A segment comes into being with events: one without any has lost some.
    return segment.records == 0 ? max(1, losses) : losses
  }
}

extension SegmentQueue {
  /// Opens a queue: cleans up what a killed process left, and sets aside what cannot be read.
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
    for scan in scans where scan.isConsumed { Posix.unlink(scan.segment.path) }
    adopt(scans.filter { !$0.isConsumed })
    // Files set aside or removed for their damage do not come back; mere reading needs no folder to be written.
    if !damage.isEmpty { try? folder.sync() }
  }

  /// Reads a segment, or sets aside what cannot be read.
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

  /// Sorts segments by their events, whatever their names, and counts missing events.
  private mutating func adopt(_ found: [SegmentScan]) {
    var scans = found.filter(\.hasPlace).sorted {
      ($0.segment.base, $0.segment.path) < ($1.segment.base, $1.segment.path)
    }
    for index in scans.indices.dropLast() { scans[index].segment.following = scans[index + 1].segment.base }
    // A segment with no place among the others has left a gap there, whose events are counted when it is reached.
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

  /// Does without a segment of which nothing can be delivered.
  ///
  /// - Parameter counted: How many of its events are counted elsewhere.
  private mutating func discard(_ scan: SegmentScan, counted: Int = 0) {
    damage.events = damage.events.adding(max(0, scan.losses - counted))
    // A segment without anything readable is kept for a version that can read it.
    if scan.hasVersion, scan.segment.records > 0 {
      Posix.unlink(scan.segment.path)
    } else {
      damage.files.append(folder.setAside(scan.segment.path))
    }
  }

  /// The last segment, made to end with its last good record, so that it can grow.
  private mutating func ready(_ scan: SegmentScan) -> Segment {
    var segment = scan.segment
    segment.following = nil
    guard scan.size > segment.size else { return segment }
    damage.events = damage.events.adding(scan.place.damages)
    do { try folder.cut(segment.path, to: segment.size) } catch { segment.isDoubtful = true }
    return segment
  }
}
