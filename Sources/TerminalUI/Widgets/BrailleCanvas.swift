/// Dots in cells of two by four, each cell in the style of the series that first drew there.
struct BrailleCanvas {
  let size: Size
  private var dots: [UInt8]
  private var owner: [UInt8]

  init(size: Size) {
    self.size = size
    dots = Array(repeating: 0, count: size.width * size.height)
    owner = Array(repeating: 0, count: size.width * size.height)
  }

  /// Draws a curve, interrupted by points without a value or outside the canvas.
  ///
  /// - Parameter isDotted: True to skip every other dot.
  mutating func draw(_ points: [Chart.Point], scale: ChartScale, series: UInt8, isDotted: Bool = false) {
    var last: (x: Int, y: Int)?
    for point in points {
      guard let value = point.y, let y = scale.row(value, of: size.height * 4) else {
        last = nil
        continue
      }
      guard let x = scale.column(point.x, of: size.width * 2) else { continue }
      if let last {
        line(from: last, to: (x, y), series: series, isDotted: isDotted)
      } else {
        set(x, y, series: series)
      }
      last = (x, y)
    }
  }

  /// Draws a line by Bresenham's algorithm; both ends lie inside the canvas, which bounds the line's length.
  private mutating func line(
    from start: (x: Int, y: Int), to end: (x: Int, y: Int), series: UInt8, isDotted: Bool
  ) {
    let dx = abs(end.x - start.x)
    let dy = -abs(end.y - start.y)
    let stepX = start.x < end.x ? 1 : -1
    let stepY = start.y < end.y ? 1 : -1
    var (x, y) = start
    var error = dx + dy
    while true {
      if !isDotted || (x + y) & 1 == 0 { set(x, y, series: series) }
      if x == end.x, y == end.y { return }
      let doubled = 2 * error
      if doubled >= dy {
        error += dy
        x += stepX
      }
      if doubled <= dx {
        error += dx
        y += stepY
      }
    }
  }

  private mutating func set(_ x: Int, _ y: Int, series: UInt8) {
    guard x >= 0, y >= 0, x < size.width * 2, y < size.height * 4 else { return }
    let index = (y / 4) * size.width + x / 2
    if dots[index] == 0 { owner[index] = series }
    dots[index] |= BrailleCanvas.bit(column: x & 1, row: y & 3)
  }

  /// The bit of a dot in Unicode's order, which keeps the fourth row separate.
  private static func bit(column: Int, row: Int) -> UInt8 {
    switch (column, row) {
    case (0, 3): return 0x40
    case (1, 3): return 0x80
    case (0, _): return 1 << UInt8(row)
    default: return 8 << UInt8(row)
    }
  }

  func render(at origin: Position, looks: [ChartLook], into buffer: inout Buffer) {
    for index in dots.indices where dots[index] != 0 {
      guard let scalar = Unicode.Scalar(0x2800 + UInt32(dots[index])) else { continue }
      let look = Int(owner[index])
      let style = look < looks.count ? looks[look][index / size.width, index % size.width] : .plain
      buffer.put(
        Cell(base: buffer.repertoire.hasSigns ? scalar : "*", style: style),
        x: origin.x + index % size.width, y: origin.y + index / size.width)
    }
  }
}
