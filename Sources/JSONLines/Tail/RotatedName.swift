/// Knows the names under which rotated files are kept beside a path.
package enum RotatedName {
  /// Whether `name` is a rotated `original`: `a.jsonl.1`, `a.jsonl.old`, `a.jsonl-2026-11-21`, `a.1.jsonl`.
  ///
  /// Packed files, temporary files and foreign names are not.
  package static func isRotated(_ name: String, of original: String) -> Bool {
    suffix(of: name, original: original) != nil
  }

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

  /// What was added to the name.
  static func suffix(of name: String, original: String) -> Substring? {
    if name.hasPrefix(original) {
      let rest = name.dropFirst(original.count)
      guard let first = rest.first, first == "." || first == "-" else { return nil }
      let suffix = rest.dropFirst()
      return isSerial(suffix) || words.contains(String(suffix)) ? suffix : nil
    }
    guard let dot = original.lastIndex(of: "."), dot != original.startIndex else { return nil }
    let stem = original[..<dot]
    let ending = original[dot...]
    guard name.hasPrefix(stem), name.hasSuffix(ending), name.count > original.count + 1 else { return nil }
    let middle = name.dropFirst(stem.count).dropLast(ending.count)
    guard let first = middle.first, first == "." || first == "-" else { return nil }
    let suffix = middle.dropFirst()
    return isSerial(suffix) ? suffix : nil
  }

  private static let words: Set<String> = ["old", "prev", "previous", "last", "bak", "backup", "orig"]

  /// A number, date or time.
  private static func isSerial(_ text: Substring) -> Bool {
    guard let first = text.first, first.isASCII, first.isNumber else { return false }
    return text.allSatisfy { $0.isASCII && ($0.isNumber || "-_.:TZ+".contains($0)) }
  }
}

/// The order in which rotated files were written.
package struct RotationOrder: Comparable {
  let modified: Int64
  let serial: UInt64

  package init(modified: Int64, name: String) {
    self.modified = modified
    let digits = name.reversed().drop { !$0.isNumber }.prefix { $0.isNumber }
    serial = UInt64(String(digits.reversed())) ?? 0
  }

  /// By time; within one tick of the clock the higher number is the older file, as `logrotate` counts.
  package static func < (left: RotationOrder, right: RotationOrder) -> Bool {
    left.modified != right.modified ? left.modified < right.modified : left.serial > right.serial
  }
}
