import Foundation
import TestSupport

/// Compares what stands in a writer's files with what its processes were told.
struct Ledger {
  /// The acknowledgement tables by the names of the writers.
  var tables: [String: AckTable] = [:]
  /// Lines that must be there byte for byte, once each, besides the records.
  var kept: [String] = []
  /// Records that may stand in two files: a failed sync leaves them in the old one and writes them to a new one.
  var allowsCopiesInOtherFiles = false
  /// The number of lines that may be half written: one for each process that died.
  var deaths = 0
  /// True if a writer that takes no lock is among them: half of its line may be seen as a torn end.
  var allowsBlankLines = false

  private struct Found {
    var records: [String: [Int]] = [:]
    var texts: [String: Int] = [:]
    var unreadable = 0
    var blank = 0
    var altered = 0
    var copies = 0
  }

  /// Adds up what is lost, doubled and bad.
  ///
  /// - Parameter files: The files, oldest first.
  func check(_ files: [String], into tally: inout MatrixRun.Tally) throws {
    var found = Found()
    for file in files { try read(file, into: &found) }
    tally.bad += (allowsBlankLines ? 0 : found.blank) + found.altered + max(0, found.unreadable - deaths)
    for (writer, table) in tables { compare(writer, table, found.records[writer] ?? [], &tally) }
    tally.bad += found.records.keys.count { tables[$0] == nil }
    for line in kept {
      let times = found.texts[line] ?? 0
      tally.expected += 1
      tally.got += min(times, 1)
      tally.lost += times == 0 ? 1 : 0
      tally.duplicated += max(0, times - 1)
    }
  }

  private func compare(_ writer: String, _ table: AckTable, _ numbers: [Int], _ tally: inout MatrixRun.Tally)
  {
    var times: [Int: Int] = [:]
    for number in numbers { times[number, default: 0] += 1 }
    for number in 0..<table.offered {
      let fate = table.fate(of: number)
      let count = times.removeValue(forKey: number) ?? 0
      tally.duplicated += max(0, count - 1)
      if fate == .acknowledged {
        tally.expected += 1
        tally.got += min(count, 1)
        tally.lost += count == 0 ? 1 : 0
      } else if fate == .refused {
        tally.bad += count
      }
    }
    // Records that no one offered, and those before their predecessor.
    tally.bad += times.count
    tally.bad += zip(numbers, numbers.dropFirst()).count { $0 > $1 }
  }

  private func read(_ file: String, into found: inout Found) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: file))
    var start = data.startIndex
    var seen: [String: Set<Int>] = [:]
    while start < data.endIndex {
      let end = data[start...].firstIndex(of: UInt8(ascii: "\n")) ?? data.endIndex
      let line = data[start..<end]
      start = end == data.endIndex ? end : end + 1
      guard !line.isEmpty else {
        found.blank += 1
        continue
      }
      guard let record = WrittenLine(line) else {
        let text = String(decoding: line, as: UTF8.self)
        if kept.contains(text) { found.texts[text, default: 0] += 1 } else { found.unreadable += 1 }
        continue
      }
      guard record.isWhole else {
        found.altered += 1
        continue
      }
      guard let number = record.number else { continue }
      let isCopy =
        allowsCopiesInOtherFiles && found.records[record.writer]?.contains(number) == true
        && !(seen[record.writer]?.contains(number) ?? false)
      seen[record.writer, default: []].insert(number)
      if !isCopy { found.records[record.writer, default: []].append(number) }
    }
  }
}

/// A line as the helper program writes them.
struct WrittenLine {
  /// The writer.
  private(set) var writer = ""
  /// Its number; `nil` for an entry that is not meant to stay.
  private(set) var number: Int?
  /// True if every byte is as it was recorded.
  private(set) var isWhole = false

  /// Takes a line apart; `nil` if it is of no writer.
  init?(_ line: Data) {
    if let rest = Self.fields(line, [#"{"metric":{"name":"old","valueTypeString":"Int"}"#, "\"}"]) {
      isWhole = rest[0].count < 60
      return
    }
    if let foreign = Self.fields(line, ["{\"foreign\":\"", "\",\"writer\":\"", "\",\"text\":\"", "\"}"]) {
      name(writer: foreign[1], number: foreign[0])
      isWhole = foreign[2] == Data(payload.utf8)
      return
    }
    let marks = [
      #"{"metric":{"bucket":""#, #"","name":""#, #"","valueTypeString":"String"},"timestamp":"#,
      #","value":""#,
      #""}"#,
    ]
    guard let parts = Self.fields(line, marks) else { return nil }
    name(writer: parts[1], number: parts[0])
    let value = Data("\"\(payload)\"".utf8).base64EncodedString().replacing("/", with: "\\/")
    isWhole = Double(String(decoding: parts[2], as: UTF8.self)) != nil && parts[3] == Data(value.utf8)
  }

  private var payload: String { NumberedRecord.payload(writer: writer, number: number ?? 0) }

  private mutating func name(writer: Data, number: Data) {
    self.writer = String(decoding: writer, as: UTF8.self)
    self.number = Int(String(decoding: number, as: UTF8.self))
  }

  /// The text between the marks, if the line is made of them.
  private static func fields(_ line: Data, _ marks: [String]) -> [Data]? {
    guard line.starts(with: marks[0].utf8) else { return nil }
    var fields: [Data] = []
    var start = line.startIndex + marks[0].utf8.count
    for mark in marks.dropFirst() {
      guard let range = line.range(of: Data(mark.utf8), in: start..<line.endIndex) else { return nil }
      fields.append(line[start..<range.lowerBound])
      start = range.upperBound
    }
    return start == line.endIndex ? fields : nil
  }
}
