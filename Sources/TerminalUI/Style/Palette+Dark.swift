extension Palette {
  /// For dark terminals; text keeps the terminal's own color so that any background works.
  static let dark = Palette(
    name: "dark", background: .rgb(30, 30, 30), foreground: .rgb(212, 212, 212),
    height: Scale(low: .rgb(55, 130, 139), high: .rgb(143, 230, 210), basic: (.palette(6), .palette(14))),
    excess: Scale(
      low: .rgb(232, 176, 75), high: .rgb(255, 107, 94), basic: (.palette(11), .palette(9)), plain: .bold),
    looks: [
      .value: Look(attributes: .bold, plain: .bold),
      .dim: Look(color: .rgb(145, 152, 164), basic: .palette(8), plain: .dim),
      .border: Look(color: .rgb(104, 113, 129), basic: .palette(8), plain: .dim),
      .borderFocused: Look(color: .rgb(122, 162, 247), basic: .palette(12)),
      .title: Look(attributes: .bold, plain: .bold),
      .header: Look(color: .rgb(150, 160, 178), basic: .palette(7), plain: .dim),
      .key: Look(attributes: .bold, plain: .bold),
      .good: Look(color: .rgb(126, 211, 133), basic: .palette(10)),
      .warning: Look(color: .rgb(236, 190, 100), basic: .palette(11), plain: .bold),
      .alert: Look(color: .rgb(247, 118, 122), basic: .palette(9), attributes: .bold, plain: .bold),
      .accent: Look(color: .rgb(125, 207, 255), basic: .palette(14), plain: .bold),
      .selection: Look(
        attributes: .bold, plain: .reverse, background: .rgb(40, 48, 70), basicBackground: .palette(4)),
      .marker: Look(color: .rgb(236, 190, 100), basic: .palette(11)),
      .gap: Look(color: .rgb(145, 152, 164), basic: .palette(8), plain: .dim),
      .limit: Look(color: .rgb(247, 118, 122), basic: .palette(9)),
      .rail: Look(color: .rgb(110, 130, 160), basic: .palette(8)),
      .railWindow: Look(color: .rgb(125, 207, 255), basic: .palette(14), attributes: .bold, plain: .bold),
      .series1: Look(color: .rgb(125, 207, 255), basic: .palette(14)),
      .series2: Look(color: .rgb(224, 160, 250), basic: .palette(13)),
      .series3: Look(color: .rgb(126, 211, 133), basic: .palette(10)),
      .series4: Look(color: .rgb(236, 190, 100), basic: .palette(11)),
      .series5: Look(color: .rgb(255, 150, 108), basic: .palette(9)),
      .series6: Look(color: .rgb(150, 170, 255), basic: .palette(12)),
      .band: Look(background: .rgb(23, 49, 57)), .bandWide: Look(background: .rgb(16, 34, 42)),
      .excessBand: Look(background: .rgb(59, 26, 28)), .excessBandWide: Look(background: .rgb(40, 20, 26)),
    ])
}

extension Palette {
  /// For a dark room: warm colors without blue or white.
  static let night = Palette(
    name: "night", background: .rgb(0, 0, 0), foreground: .rgb(184, 176, 164),
    height: Scale(low: .rgb(138, 106, 72), high: .rgb(232, 184, 120), basic: (.palette(3), .palette(11))),
    excess: Scale(
      low: .rgb(214, 160, 72), high: .rgb(226, 106, 88), basic: (.palette(11), .palette(9)), plain: .bold),
    looks: [
      .value: Look(attributes: .bold, plain: .bold),
      .dim: Look(color: .rgb(142, 134, 121), basic: .palette(8), plain: .dim),
      .border: Look(color: .rgb(102, 94, 85), basic: .palette(8), plain: .dim),
      .borderFocused: Look(color: .rgb(196, 140, 84), basic: .palette(3)),
      .title: Look(attributes: .bold, plain: .bold),
      .header: Look(color: .rgb(150, 138, 120), basic: .palette(7), plain: .dim),
      .key: Look(attributes: .bold, plain: .bold),
      .good: Look(color: .rgb(140, 168, 104), basic: .palette(2)),
      .warning: Look(color: .rgb(214, 160, 72), basic: .palette(11), plain: .bold),
      .alert: Look(color: .rgb(226, 106, 88), basic: .palette(9), attributes: .bold, plain: .bold),
      .accent: Look(color: .rgb(206, 150, 98), basic: .palette(3), plain: .bold),
      .selection: Look(
        attributes: .bold, plain: .reverse, background: .rgb(38, 30, 22), basicBackground: .palette(0)),
      .marker: Look(color: .rgb(214, 160, 72), basic: .palette(11)),
      .gap: Look(color: .rgb(142, 134, 121), basic: .palette(8), plain: .dim),
      .limit: Look(color: .rgb(226, 106, 88), basic: .palette(9)),
      .rail: Look(color: .rgb(112, 102, 90), basic: .palette(8)),
      .railWindow: Look(color: .rgb(206, 150, 98), basic: .palette(3), attributes: .bold, plain: .bold),
      .series1: Look(color: .rgb(206, 150, 98), basic: .palette(3)),
      .series2: Look(color: .rgb(190, 130, 140), basic: .palette(13)),
      .series3: Look(color: .rgb(140, 168, 104), basic: .palette(2)),
      .series4: Look(color: .rgb(214, 190, 96), basic: .palette(11)),
      .series5: Look(color: .rgb(226, 106, 88), basic: .palette(9)),
      .series6: Look(color: .rgb(150, 150, 170), basic: .palette(7)),
      .band: Look(background: .rgb(42, 32, 22)), .bandWide: Look(background: .rgb(28, 21, 14)),
      .excessBand: Look(background: .rgb(52, 21, 18)), .excessBandWide: Look(background: .rgb(34, 14, 12)),
    ])
}
