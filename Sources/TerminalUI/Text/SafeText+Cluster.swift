extension SafeText {
  /// True if every scalar is one column wide, safe, and never combines with its neighbors.
  static func isSimple(_ text: String, repertoire: Repertoire) -> Bool {
    if !repertoire.hasSigns { return text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }
    return text.unicodeScalars.allSatisfy { isSimple($0.value) }
  }

  /// True for the ranges of our own graphics and of Latin text.
  ///
  /// libc agrees in every UTF-8 locale.
  @inline(__always)
  static func isSimple(_ value: UInt32) -> Bool {
    if value < 0x7F { return value >= 0x20 }
    switch value {
    case 0xA1...0xAC, 0xAE...0x17F: return true
    case 0x2010...0x2027, 0x2190...0x21FF, 0x2500...0x259F, 0x2800...0x28FF: return true
    default: return false
    }
  }

  /// The cells of one character.
  static func cluster(of character: Character, repertoire: Repertoire) -> Cluster {
    var scalars = character.unicodeScalars.makeIterator()
    guard let base = scalars.next() else { return Cluster(.blank) }
    let next = scalars.next()
    if repertoire == .ascii {
      return Cluster(Cell(base: next == nil ? asciiSign(base) : mark(.ascii)))
    }
    var builder = ClusterBuilder()
    builder.add(base, next: next)
    var current = next
    while let scalar = current, !builder.isClosed {
      current = scalars.next()
      builder.add(scalar, next: current)
    }
    return repertoire == .evenWidth ? even(builder.cluster) : builder.cluster
  }

  /// The cluster if all its cells are ASCII or wide; otherwise its ASCII equivalent.
  private static func even(_ cluster: Cluster) -> Cluster {
    let cells = [cluster.first] + cluster.rest
    if cells.allSatisfy({ $0.isWide || $0.scalars.0 < 0x7F && $0.scalars.1 == 0 }) { return cluster }
    guard cells.count == 1, let base = Unicode.Scalar(cluster.first.scalars.0), cluster.first.scalars.1 == 0
    else {
      return Cluster(Cell(base: mark(.ascii)))
    }
    return Cluster(Cell(base: asciiSign(base)))
  }

  /// Width of a single scalar: 1, 2, 0 for a combining mark, or `nil` if it must not be drawn.
  package static func columns(of scalar: Unicode.Scalar) -> Int? {
    let value = scalar.value
    if isSimple(value) { return 1 }
    if value < 0xA0 || isDenied(scalar) { return nil }
    let width = libcWidth(value)
    return width < 0 || width > 2 ? nil : Int(width)
  }

  private static func isDenied(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF0...0xFFFB, 0x061C, 0x180B...0x180F,
      0xAD, 0xFE00...0xFE0F, 0xE0000...0xE0FFF, 0x115F, 0x1160, 0x3164, 0xFFA0:
      return true
    case 0xFDD0...0xFDEF: return true
    default: break
    }
    if scalar.value & 0xFFFE == 0xFFFE || scalar.properties.isDefaultIgnorableCodePoint { return true }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
      return true
    default: return false
    }
  }

  /// The ASCII equivalent of one of our symbols; the replacement mark for anything else that is not ASCII.
  static func asciiSign(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0x20..<0x7F: return scalar
    case 0x2500, 0x2501, 0x254C, 0x2010...0x2015: return "-"
    case 0x2502, 0x2503, 0x2524, 0x2016: return "|"
    case 0x250A, 0x2506: return ":"
    case 0x250C, 0x2510, 0x2514, 0x2518: return "+"
    case 0x2026: return "~"
    case 0x203A, 0x2192, 0x25B6, 0x25B8: return ">"
    case 0x2190: return "<"
    case 0x2191, 0x25B2: return "^"
    case 0x2193, 0x25BC, 0x25BE: return "v"
    case 0xB7: return "."
    case 0xD7: return "x"
    case 0xB5, 0x3BC: return "u"
    case 0xAB, 0xBB, 0x201C, 0x201D: return "\""
    case 0x2018, 0x2019: return "'"
    case 0x2212: return "-"
    case 0x2248: return "~"
    case 0x25CF: return "*"
    case 0x2591: return "."
    case 0x2592, 0x2593: return "#"
    case 0x2801...0x28FF: return "*"
    case 0x2581...0x2588: return Signs.asciiSpark(Int(scalar.value - 0x2581))
    default: return mark(.ascii)
    }
  }
}

/// Builds the cells of one character from its scalars.
private struct ClusterBuilder {
  private(set) var cells: [Cell] = []
  /// True once the rest of the character is not drawn.
  private(set) var isClosed = false
  private var last: Unicode.Scalar?
  private var takesMarks = false

  var cluster: SafeText.Cluster {
    var cluster = SafeText.Cluster(cells.first ?? .blank)
    if cells.count > 1 {
      cluster.rest = Array(cells.dropFirst())
      cluster.width = cells.reduce(0) { $0 + $1.width }
    }
    return cluster
  }

  mutating func add(_ scalar: Unicode.Scalar, next: Unicode.Scalar?) {
    defer { last = scalar }
    switch scalar.value {
    case 0x1F1E6...0x1F1FF: addLetter(ofFlag: scalar)
    case 0x1F3FB...0x1F3FF: addModifier()
    case 0x200D where lastIsPictograph && next?.properties.isEmoji == true:
      // Terminals disagree on the width of a joined family, so only its first member is drawn.
      isClosed = true
    case 0xFE0E...0xFE0F where lastIsPictograph || next?.value == 0x20E3 && last?.properties.isEmoji == true:
      break
    default: addPlain(scalar)
    }
  }

  private var lastIsPictograph: Bool {
    guard let last else { return false }
    return last.value > 0xFF && last.properties.isEmoji || last.value == 0xFE0F
      || (0x1F3FB...0x1F3FF).contains(last.value)
  }

  /// Draws a flag as its two letters: some terminals join the pair, others do not.
  private mutating func addLetter(ofFlag scalar: Unicode.Scalar) {
    let letter = Unicode.Scalar(scalar.value - 0x1F1E6 + 0x41) ?? "?"
    append(Cell(base: letter), takesMarks: true)
  }

  /// Omits a skin tone after its base; by itself, it might combine with the preceding character.
  private mutating func addModifier() {
    if !lastIsPictograph { appendMark() }
  }

  private mutating func addPlain(_ scalar: Unicode.Scalar) {
    switch SafeText.columns(of: scalar) {
    case nil: appendMark()
    case 0?:
      guard takesMarks, let cell = cells.popLast() else { return appendMark() }
      cells.append(cell.adding(mark: scalar))
    case let width?: append(Cell(base: scalar, isWide: width == 2), takesMarks: true)
    }
  }

  private mutating func appendMark() {
    append(Cell(base: SafeText.mark(.unicode)), takesMarks: false)
  }

  private mutating func append(_ cell: Cell, takesMarks: Bool) {
    cells.append(cell)
    self.takesMarks = takesMarks
  }
}
