import Platform

/// Recognizes the names of rotated files beside a path.
package enum RotatedName {
  /// True if `name` is a rotated `original`: `a.jsonl.1`, `a.jsonl.old`, `a.jsonl-2026-11-21`, `a.1.jsonl`.
  ///
  /// Packed files (see ``unpacked(_:)``), temporary files and foreign names are not.
  package static func isRotated(_ name: String, of original: String) -> Bool {
    suffix(of: name, original: original) != nil
  }

  /// True if a number or a date makes it a rotated `original`, rather than a word that people also choose for copies.
  package static func isNumbered(_ name: String, of original: String) -> Bool {
    suffix(of: name, original: original).map(isSerial) ?? false
  }

  /// The name of a packed file after unpacking; any other name unchanged.
  package static func unpacked(_ name: String) -> String { name.droppingByteSuffix(".gz") ?? name }

  /// The names that this one may be a rotated form of.
  package static func originals(of name: String) -> [String] {
    let bytes = name.utf8
    let ending: Substring = bytes.lastIndex(of: UInt8(ascii: ".")).map { name[$0...] } ?? ""
    var originals: [String] = []
    for place in bytes.indices where bytes[place] == UInt8(ascii: ".") || bytes[place] == UInt8(ascii: "-") {
      let stem = name[..<place]
      for original in [String(stem), String(stem) + String(ending)] where isRotated(name, of: original) {
        originals.append(original)
      }
    }
    return originals
  }

  /// The part added to the original name.
  static func suffix(of name: String, original: String) -> Substring? {
    if name.hasBytePrefix(original) {
      guard let suffix = afterSign(name.utf8.dropFirst(original.utf8.count)) else { return nil }
      return isSerial(suffix) || words.contains(String(suffix)) ? suffix : nil
    }
    let bytes = original.utf8
    guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot != bytes.startIndex else { return nil }
    let (stem, ending) = (String(original[..<dot]), String(original[dot...]))
    guard name.hasBytePrefix(stem), name.hasByteSuffix(ending), name.utf8.count > bytes.count + 1 else {
      return nil
    }
    let suffix = afterSign(name.utf8.dropFirst(stem.utf8.count).dropLast(ending.utf8.count))
    return suffix.flatMap { isSerial($0) ? $0 : nil }
  }

  /// The part after a dot or a hyphen.
  private static func afterSign(_ rest: Substring.UTF8View) -> Substring? {
    guard let first = rest.first, first == UInt8(ascii: ".") || first == UInt8(ascii: "-") else { return nil }
    return Substring(rest.dropFirst())
  }

  private static let words: Set<String> = ["old", "prev", "previous", "last", "bak", "backup", "orig"]

  /// A number, date or time.
  private static func isSerial(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, digits.contains(first) else { return false }
    return text.utf8.allSatisfy { digits.contains($0) || signs.contains($0) }
  }

  static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
  private static let signs = "-_.:TZ+".utf8
}

/// The order in which rotated files were written.
package struct RotationOrder: Comparable {
  let modified: Int64
  let serial: UInt64

  package init(modified: Int64, name: String) {
    self.modified = modified
    let digits = RotatedName.digits
    let end = name.utf8.reversed().drop { !digits.contains($0) }.prefix { digits.contains($0) }
    serial = UInt64(String(decoding: end.reversed(), as: UTF8.self)) ?? 0
  }

  /// Sorts by time; within one tick of the clock the higher number is the older file, as in `logrotate`.
  package static func < (left: RotationOrder, right: RotationOrder) -> Bool {
    left.modified != right.modified ? left.modified < right.modified : left.serial > right.serial
  }
}
