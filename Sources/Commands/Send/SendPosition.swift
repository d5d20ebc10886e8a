import Codecs
import DeliveryCore
import Essentials
import JSONLines
import Platform

/// The position up to which earlier runs have read a file, kept beside the queued events.
struct SendPosition {
  /// Offset after the last line that is delivered or on disk.
  private(set) var offset: UInt64 = 0
  /// The number of lines before the offset.
  private(set) var lines = 0
  /// The time in the message ids of the lines after the offset, so that repeated lines get the same ids.
  private(set) var time: Date
  /// The file of the position; `nil` before the first one.
  private(set) var file: FileIdentity?
  /// The hash of the bytes before the offset.
  private var marker: String?
  /// The creation time of that file; `nil` if unknown, or if an earlier version saved the position.
  private var born: Int64?
  /// The time of the last save by earlier runs, or of the first one by this run, by the clock of the file system.
  private(set) var noted: Int64?
  /// The file in which the position is kept.
  let path: String
  /// The reason why the saved position of earlier runs is unknown; `nil` if it is known or there is none.
  let unreadable: UnreadableValues?
  private let values: FileKeyValues

  /// Reads the position of earlier runs, or starts at the beginning.
  init(folder: String, now: Date) {
    path = folder + "/position.json"
    // Read first: another run may be about to save the first position.
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

  /// True if all values of a position are there.
  private static func isWhole(_ values: FileKeyValues) -> Bool {
    values.value("offset").flatMap { UInt64($0) } != nil && values.value("marker") != nil
      && values.value("time").flatMap { Double($0) }?.isFinite == true
  }

  /// True if `marker` is the text before the position; a replaced file has different text there.
  func matches(_ marker: [UInt8]) -> Bool {
    self.marker == Self.hash(of: marker)
  }

  /// True if a file is the one of the position, judging by its inode.
  func isIn(_ status: FileStatus) -> Bool {
    file.map { FileIdentity.areOne(($0, born), status) } ?? true
  }

  /// An unsaved copy at another offset in the same file, after other bytes.
  func moved(to offset: UInt64, marker: [UInt8]) -> SendPosition {
    var position = self
    (position.offset, position.marker) = (offset, Self.hash(of: marker))
    return position
  }

  /// Moves back to the start of the file, without saving.
  mutating func restart(at now: Date) {
    offset = 0
    lines = 0
    time = now
  }

  /// Moves and saves the position.
  ///
  /// - Parameters:
  ///   - lines: The number of lines before the offset.
  ///   - marker: The bytes before the offset.
  ///   - file: The file of the position.
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

  /// A hash usable in file names.
  static func hash(_ text: String) -> String { Hexadecimal.text(ContentHash.of(Array(text.utf8))) }
}
