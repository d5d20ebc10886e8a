/// The terminfo entry of a terminal, as a value that can be changed and compiled.
///
/// ncurses sends 24-bit colors only if the entry has them, and most systems install none of the `-direct` entries. So
/// they are added here to the terminal's entry, and ncurses reads the result in place of the one in the database.
struct TerminfoEntry: Hashable, Sendable {
  /// The names of capabilities in the order of their values in a compiled entry.
  struct Order: Hashable, Sendable {
    var flags: [String]
    var numbers: [String]
    var strings: [String]
  }

  /// Its name in `TERM`; several names are separated by `|`.
  var name: String
  var order: Order
  /// The flags that are set; those not in the order are extensions.
  var flags: Set<String> = []
  var numbers: [String: Int32] = [:]
  var strings: [String: [UInt8]] = [:]

  /// The number of colors; 0 if there is none.
  var colors: Int { Int(numbers["colors"] ?? 0) }

  /// The same terminal with 24-bit colors in addition to its own; `nil` if its colors do not follow ECMA-48, because
  /// the effect on such a terminal would be unknown.
  ///
  /// A color number below 256 is sent as before, a larger one as red, green and blue.
  func addingDirectColor() -> TerminfoEntry? {
    let setters = ["setaf", "setab"].compactMap { strings[$0] }
    guard colors >= 8, setters.count == 2, setters.allSatisfy({ $0.starts(with: [0x1B, 0x5B]) }) else {
      return nil
    }
    var entry = self
    for (name, own, digit) in [("setaf", setters[0], 3), ("setab", setters[1], 4)] {
      // In an entry with direct colors, the numbers from eight on are already direct.
      let indexed = colors > 256 ? Self.indexed(digit) : own
      let direct = "\u{1B}[\(digit)8;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%dm"
      entry.strings[name] = Array("%?%p1%{255}%>%t\(direct)%e".utf8) + indexed + Array("%;".utf8)
    }
    entry.numbers["colors"] = 1 << 24
    entry.numbers["pairs"] = 1 << 16
    // ncurses splits the numbers itself, and has no table of sixteen million colors to change.
    entry.flags.insert("RGB")
    entry.flags.remove("ccc")
    for name in ["initc", "initp", "oc"] { entry.strings[name] = nil }
    return entry
  }

  /// Eight named colors, their bright counterparts and xterm's other 240.
  static func indexed(_ digit: Int) -> [UInt8] {
    let bright = digit + 6
    return Array(
      "\u{1B}[%?%p1%{8}%<%t\(digit)%p1%d%e%p1%{16}%<%t\(bright)%p1%{8}%-%d%e\(digit)8;5;%p1%d%;m".utf8)
  }
}

extension TerminfoEntry {
  /// Maximum size of an entry that ncurses reads, in bytes.
  private static let sizeLimit = 32_768

  /// The entry as `tic -x` compiles it, with 32-bit numbers; `nil` if it is too large for ncurses.
  var compiled: [UInt8]? {
    let names = Array(name.utf8) + [0]
    var table: [UInt8] = []
    let offsets = order.strings.map { name -> Int in
      guard let value = strings[name] else { return -1 }
      defer { table += value + [0] }
      return table.count
    }
    var bytes: [UInt8] = []
    let counts = [names.count, order.flags.count, order.numbers.count, offsets.count, table.count]
    bytes.append(shorts: [0x021E] + counts)
    bytes += names
    bytes += order.flags.map { flags.contains($0) ? UInt8(1) : 0 }
    bytes.appendPadding()
    for name in order.numbers { bytes.append(long: numbers[name] ?? -1) }
    bytes.append(shorts: offsets)
    bytes += table
    bytes.appendPadding()
    bytes += extensions
    return bytes.count <= Self.sizeLimit ? bytes : nil
  }

  /// Extensions of the standard: flags only, each with its name in a separate table.
  private var extensions: [UInt8] {
    let extra = flags.subtracting(order.flags).sorted()
    guard !extra.isEmpty else { return [] }
    var table: [UInt8] = []
    let offsets = extra.map { name -> Int in
      defer { table += Array(name.utf8) + [0] }
      return table.count
    }
    var bytes: [UInt8] = []
    bytes.append(shorts: [extra.count, 0, 0, extra.count, table.count])
    bytes += extra.map { _ in UInt8(1) }
    bytes.appendPadding()
    bytes.append(shorts: offsets)
    return bytes + table
  }
}

extension [UInt8] {
  fileprivate mutating func append(shorts: [Int]) {
    for short in shorts {
      append(UInt8(truncatingIfNeeded: short))
      append(UInt8(truncatingIfNeeded: short >> 8))
    }
  }

  fileprivate mutating func append(long: Int32) {
    for shift in stride(from: 0, to: 32, by: 8) { append(UInt8(truncatingIfNeeded: long >> Int32(shift))) }
  }

  /// Numbers of 16 and 32 bits start at an even offset.
  fileprivate mutating func appendPadding() {
    if !count.isMultiple(of: 2) { append(0) }
  }
}
