import Testing

@testable import TerminalUI

@Suite("Chart")
struct ChartTests {
  init() { adoptUTF8() }

  @Test("in braille")
  func braille() {
    #expect(
      picture(60, 10, sampleChart(theme())) == """
          480                 gap 4.1s                   ⣰          
              ╌╌limit 400ms╌╌╌╌╌╌╌┊╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌⢀⠜⢸╌╌╌╌╌╌╌╌╌╌
                                  ┊                   ⢠⠊  ⡇         
                                  ┊                  ⢠⠃   ⡇         
          240                     ┊                 ⢠⠃    ⡇         
                                  ┊                ⡠⠃     ⢱         
              ⢀⠤⢄⣀⣀⣀⣀⣀⡀ ⢠⠤⣀⣀⣀⣀⣀⣀⡀ ┊  ⣀⣀⣀⣀⣀  ⡠⢄⣀⣀⣀⣀⠎       ⢸⣀⣀⣀ ⢀⠤⢄⣀⣀
              ⠁       ⠈⠉⠁         ┊       ⠉⠉                  ⠉⠁    
            0                     ┊                                 
              14:30                    14:31          ▲b         now

        """)
  }

  @Test("in blocks")
  func blocks() {
    #expect(
      picture(60, 10, sampleChart(theme(.blocks))) == """
          480                 gap 4.1s                  ▁▇          
              ╌╌limit 400ms╌╌╌╌╌╌╌┊╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌██╌╌╌╌╌╌╌╌╌╌
                                  ┊                    ▆██          
                                  ┊                   ████          
          240                     ┊                 ▁▇████          
                                  ┊                ▄██████          
               ▂▂▁▁▁     ▂▁▁▁▁    ┊  ▁▁▁    ▂▂▁▁▁ ▆███████▁    ▂▂▁▁▁
              ▇████████▇▇████████ ┊  █████▇▇██████████████████▇█████
            0 ███████████████████ ┊  ███████████████████████████████
              14:30                    14:31          ▲b         now

        """)
  }

  @Test("in ASCII")
  func ascii() {
    #expect(
      picture(60, 10, sampleChart(theme(.ascii))) == """
          480                 gap 4.1s                  .'|         
              --limit 400ms-------:---------------------|-|---------
                                  :                    -| |         
                                  :                   '|  |         
          240                     :                 .'|   |         
                                  :                -|     |         
               .........|........ :  ......|......'|      ..........
              '|        '|        :        '|                  |    
            0                     :                                 
              14:30                    14:31          ^b         now

        """)
  }

  @Test("line and bands have other colours in a stretch of trouble", arguments: GlyphTier.allCases)
  func trouble(glyphs: GlyphTier) {
    let theme = Theme(capabilities: Capabilities(depth: .trueColor, glyphs: glyphs))
    let points = (0..<20).map { Chart.Point(x: Double($0), y: 5) }
    var chart = Chart(
      series: [.init(points, style: .plain, isGraded: true)], xRange: 0...19, yRange: 0...10, gutter: 0,
      theme: theme)
    chart.bands = [Chart.Band([.init(x: 0..<20, low: 5, high: 9)], isWide: false)]
    func styles(_ chart: Chart) -> [Style] {
      var buffer = Buffer(size: Size(width: 20, height: 5))
      chart.render(in: Rect(size: buffer.size), into: &buffer)
      return (0..<20).map { buffer[$0, 2].style }
    }
    let usual = styles(chart)
    #expect(Set(usual).count == 1)
    chart.trouble = [10..<15]
    let changed = zip(usual, styles(chart)).enumerated().filter { $1.0 != $1.1 }.map(\.offset)
    #expect(changed == [10, 11, 12, 13, 14])
  }

  @Test("a single value, no value and values that are no numbers are all drawn")
  func degenerate() {
    func chart(_ points: [Chart.Point], x: ClosedRange<Double> = 0...1, y: ClosedRange<Double> = 0...1)
      -> String
    {
      let theme = theme()
      var chart = Chart(series: [.init(points, style: .plain)], xRange: x, yRange: y, gutter: 0, theme: theme)
      chart.gaps = [.init(.nan, "never")]
      return picture(3, 1, chart)
    }
    #expect(chart([]) == "   \n")
    #expect(chart([.init(x: 0.5, y: 0)]) == " ⢀ \n")
    #expect(chart([.init(x: 0, y: .nan), .init(x: .infinity, y: 1), .init(x: 1, y: nil)]) == "   \n")
    #expect(chart([.init(x: 5, y: 5)], x: 5...5, y: 5...5) == "  ⢀\n")
    let huge: [Chart.Point] = [.init(x: -1e308, y: -1e308), .init(x: 1e308, y: 1e308)]
    #expect(chart(huge, x: -1e308...1e308, y: -1e308...1e308) == "⡠⠔⠊\n")
  }

  @Test("labels of gaps leave one another and the playhead's room, which lies over the curve")
  func upright() {
    let theme = theme()
    let points = (0...40).map { Chart.Point(x: Double($0), y: 1) }
    var chart = Chart(
      series: [.init(points, style: .plain)], xRange: 0...40, yRange: 0...1, gutter: 0, theme: theme)
    chart.gaps = [5, 8, 11, 14, 30, 38].map { .init($0, "gap") }
    chart.playhead = .init(30, "14:32 = 1")
    let blank = chart.series
    chart.series = []
    #expect(picture(41, 1, chart) == "    gap ┊ gap ┊           14:32 = 1  gap \n")
    chart.series = blank
    #expect(picture(41, 1, chart).contains("14:32 = 1"))
  }

  @Test("the mouse finds the time under a column, and nothing outside")
  func time() {
    let chart = sampleChart(theme())
    let area = Rect(x: 2, y: 0, width: 67, height: 8)
    #expect(chart.plot(in: area) == Rect(x: 8, y: 0, width: 61, height: 7))
    #expect(chart.time(atColumn: 8, in: area) == 0)
    #expect(chart.time(atColumn: 38, in: area) == 30)
    #expect(chart.time(atColumn: 68, in: area) == 60)
    #expect(chart.time(atColumn: 7, in: area) == nil)
    #expect(chart.time(atColumn: 69, in: area) == nil)
  }

  @Test("labels that would touch are left out, marks win, and the ends go before the middle")
  func labels() {
    var chart = Chart(series: [], xRange: 0...10, yRange: 0...1, gutter: 0, theme: theme())
    chart.xTicks = [.init(0, "start"), .init(5, "middle"), .init(10, "now")]
    chart.markers = [.init(5, "b")]
    #expect(picture(20, 2, chart).split(separator: "\n").last == "start     ▲b     now")
    #expect(picture(12, 2, chart).split(separator: "\n").last == "start ▲b now")
    #expect(picture(9, 2, chart).split(separator: "\n").last == "    ▲b   ")
  }

  @Test("a later series is drawn under an earlier one")
  func order() {
    let theme = Theme(capabilities: Capabilities(depth: .indexed16))
    let flat: [Chart.Point] = [.init(x: 0, y: 0), .init(x: 1, y: 0)]
    for tier in GlyphTier.allCases {
      let tiered = Theme(capabilities: Capabilities(depth: .indexed16, glyphs: tier))
      var buffer = Buffer(size: Size(width: 4, height: 2))
      Chart(
        series: [.init(flat, style: theme[.series1]), .init(flat, style: theme[.series2])], xRange: 0...1,
        yRange: 0...1, gutter: 0, theme: tiered
      ).render(in: buffer.area, into: &buffer)
      #expect(buffer[1, 1].style == theme[.series1])
    }
  }
}
