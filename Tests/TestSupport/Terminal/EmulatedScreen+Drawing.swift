import TerminalUI

extension EmulatedScreen {
  /// Puts a character at the cursor.
  mutating func put(_ value: UInt32) {
    let usual = value < 0x7F ? 1 : Unicode.Scalar(value).flatMap(SafeText.columns) ?? 1
    let width = value == 0xB7 || (0x2500...0x25FF).contains(value) ? signWidth : usual
    guard width > 0 else { return putMark(value) }
    if isWrapDue || x + width > size.width {
      guard modes.isWrapping else { return }
      nextRow()
    }
    lastSign = value
    clear(from: x, count: width)
    page.cells[y * size.width + x] = value
    if width == 2, x + 1 < size.width { page.cells[y * size.width + x + 1] = 0 }
    x += width
    if x >= size.width {
      x = size.width - 1
      isWrapDue = modes.isWrapping
    }
  }

  private mutating func putMark(_ value: UInt32) {
    var column = isWrapDue ? x : x - 1
    if column > 0, page.cells[y * size.width + column] == 0 { column -= 1 }
    guard column >= 0 else { return violate("mark U+\(String(value, radix: 16)) without a sign before it") }
    page.marks[y * size.width + column, default: []].append(value)
  }

  private mutating func nextRow() {
    isWrapDue = false
    x = 0
    moveDown()
  }

  /// Moves the cursor to the next row, or scrolls if it is in the last one.
  mutating func moveDown() {
    let rows = modes.scrolling ?? 0...size.height - 1
    if y == rows.upperBound { scroll(rows, by: 1) } else { moveTo(x: x, y: y + 1) }
  }

  /// Scrolls rows up by `count` (down if negative) and fills in blank ones.
  mutating func scroll(_ rows: ClosedRange<Int>, by count: Int) {
    let old = page
    for row in rows {
      for column in 0..<size.width {
        let (target, source) = (row * size.width + column, (row + count) * size.width + column)
        page.cells[target] = rows.contains(row + count) ? old.cells[source] : 0x20
        page.marks[target] = rows.contains(row + count) ? old.marks[source] : nil
      }
    }
  }

  /// Clears cells in the cursor's row, including halves of wide characters that are cut.
  mutating func clear(from start: Int, count: Int) {
    let row = y * size.width
    let end = min(start + count, size.width)
    guard start < end else { return }
    if start > 0, page.cells[row + start] == 0 { page.cells[row + start - 1] = 0x20 }
    if end < size.width, page.cells[row + end] == 0 { page.cells[row + end] = 0x20 }
    for column in start..<end {
      page.cells[row + column] = 0x20
      if !page.marks.isEmpty { page.marks[row + column] = nil }
    }
  }

  mutating func moveTo(x: Int, y: Int) {
    self.x = min(max(x, 0), size.width - 1)
    self.y = min(max(y, 0), size.height - 1)
    isWrapDue = false
  }

  mutating func clearAll() { page = Page(count: size.width * size.height) }

  mutating func clearBelow() {
    clear(from: x, count: size.width)
    let kept = y
    for row in (y + 1)..<max(y + 1, size.height) {
      y = row
      clear(from: 0, count: size.width)
    }
    y = kept
  }

  /// Shifts the rest of the cursor's row: right to insert blanks, left to delete cells.
  mutating func shift(by count: Int) {
    let (row, width) = (y * size.width, size.width)
    let old = (x..<width).map { (page.cells[row + $0], page.marks[row + $0]) }
    clear(from: x, count: width)
    for (index, cell) in old.enumerated() {
      let target = x + index + count
      guard target >= x, target < width else { continue }
      page.cells[row + target] = cell.0
      page.marks[row + target] = cell.1
    }
  }

  mutating func setAlternate(_ isOn: Bool) {
    guard isOn != modes.isAlternate else {
      return violate("alternate screen \(isOn ? "entered" : "left") twice")
    }
    modes.isAlternate = isOn
    if isOn { (saved, hasAskedPosition) = ((x, y), false) }
    swap(&page, &other)
    if isOn { clearAll() } else { moveTo(x: saved.x, y: saved.y) }
  }
}
