import Codecs
import DeliveryCore
import Essentials
import JSONLines
import Platform

/// How far a file was read by earlier runs, kept beside the events that wait.
struct SendPosition {
  /// Behind the last line that is delivered or on disk.
  private(set) var offset: UInt64 = 0
  /// The lines before it.
  private(set) var lines = 0
  /// The time in the message ids of the lines behind it, so that a repetition has the same ids.
  private(set) var time: Date
  /// The file that it is in; `nil` before the first one.
  private(set) var file: FileIdentity?
  /// The hash of the bytes before it.
  private var marker: String?
  /// When that file was made; `nil` where that is not known, or an earlier version has noted the position.
  private var born: Int64?
  /// When earlier runs have noted it last, or this one first, by the clock of the files.
  private(set) var noted: Int64?
  /// Where it is kept.
  let path: String
  /// The reason why the saved position of earlier runs is unknown; `nil` if there is none.
  let unreadable: UnreadableValues?
  private let values: FileKeyValues

  /// Reads the position of earlier runs, or begins at the start.
  init(folder: String, now: Date) {
    path = folder + "/position.json"
    // Asked first: another run may be about to note the first one.
    noted = Posix.status(at: path)?.modified
    values = FileKeyValues(path: path)
    unreadable = values.unreadable ?? (noted != nil && !Self.isWhole(values) ? .damaged : nil)
    time = now
    if let text = values.value("time"), let milliseconds = Double(text), milliseconds.isFinite {
      time = Date(timeIntervalSince1970: milliseconds / 1000)
    }
    offset = values.value("offset").flatMap { UInt64($0) } ?? 0
    lines = values.value("lines").flatMap { Int($0) }.map { min(max($0, 0), 1 << 53) } ?? 0
    let numbers = ["device", "inode"].compactMap { values.value($0).flatMap { UInt64($0) } }
    file = numbers.count == 2 ? FileIdentity(device: numbers[0], inode: numbers[1]) : nil
    born = values.value("born").flatMap { Int64($0) }
    marker = values.value("marker")
  }

  /// True if values are those of a position.
  private static func isWhole(_ values: FileKeyValues) -> Bool {
    values.value("offset").flatMap { UInt64($0) } != nil && values.value("marker") != nil
      && values.value("time").flatMap { Double($0) }?.isFinite == true
  }

  /// True if `marker` is what stood before the position; a file that was replaced has something else there.
  func matches(_ marker: [UInt8]) -> Bool {
    self.marker == Self.hash(of: marker)
  }

  /// True if a file is the one of the position, judging by its number.
  func isIn(_ status: FileStatus) -> Bool {
    file.map { FileIdentity.areOne(($0, born), status) } ?? true
  }

  /// A place in the same file, behind other bytes, that is not stored.
  func moved(to offset: UInt64, marker: [UInt8]) -> SendPosition {
    var position = self
    (position.offset, position.marker) = (offset, Self.hash(of: marker))
    return position
  }

  /// Forgets where it was.
  mutating func restart(at now: Date) {
    offset = 0
    lines = 0
    time = now
  }

  /// Stores a position.
  ///
  /// - Parameters:
  ///   - lines: The lines before it.
  ///   - marker: The bytes before it.
  ///   - file: The file that it is in.
  mutating func move(
    to offset: UInt64, lines: Int, marker: [UInt8], time: Date, in file: FileStatus?
  ) throws(StorageFailure) {
    self.marker = Self.hash(of: marker)
    self.file = file?.identity
    born = file?.born
    self.offset = offset
    self.lines = lines
    self.time = time
    try values.update([
      "offset": String(offset), "lines": String(lines), "time": String(EventTime.milliseconds(time)),
      "marker": self.marker,
      "device": String(file?.identity.device ?? 0), "inode": String(file?.identity.inode ?? 0),
      "born": born.map { String($0) },
    ])
    noted = noted ?? Posix.status(at: path)?.modified
  }

  private static func hash(of marker: [UInt8]) -> String { hash(String(decoding: marker, as: UTF8.self)) }

  /// A name for a text.
  static func hash(_ text: String) -> String { Hexadecimal.text(ContentHash.of(Array(text.utf8))) }
}
