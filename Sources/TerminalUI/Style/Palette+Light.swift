// Of the sixteen colors, only black, red, blue and magenta are readable on white, so roles share them.
extension Palette {
  /// For white terminals: the same meanings in darker colors.
  static let light = Palette(
    name: "light", background: .rgb(255, 255, 255), foreground: .rgb(36, 41, 47),
    height: Scale(low: .rgb(79, 148, 144), high: .rgb(0, 105, 95), basic: (.palette(6), .palette(4))),
    excess: Scale(
      low: .rgb(154, 103, 0), high: .rgb(198, 40, 40), basic: (.palette(5), .palette(1)), plain: .bold),
    looks: [
      .value: Look(attributes: .bold, plain: .bold),
      .dim: Look(color: .rgb(97, 103, 115), basic: .standard, plain: .dim),
      .border: Look(color: .rgb(141, 149, 162), basic: .palette(8), plain: .dim),
      .borderFocused: Look(color: .rgb(30, 90, 200), basic: .palette(4)),
      .title: Look(attributes: .bold, plain: .bold),
      .header: Look(color: .rgb(85, 95, 112), basic: .standard, plain: .dim),
      .key: Look(attributes: .bold, plain: .bold),
      .good: Look(color: .rgb(21, 115, 44), basic: .palette(4)),
      .warning: Look(color: .rgb(146, 92, 0), basic: .palette(5), plain: .bold),
      .alert: Look(color: .rgb(190, 20, 40), basic: .palette(1), attributes: .bold, plain: .bold),
      .accent: Look(color: .rgb(0, 100, 160), basic: .palette(4), plain: .bold),
      .selection: Look(
        attributes: .bold, plain: .reverse, background: .rgb(228, 232, 240), basicBackground: .palette(7)),
      .marker: Look(color: .rgb(146, 92, 0), basic: .palette(5)),
      .gap: Look(color: .rgb(97, 103, 115), basic: .standard, plain: .dim),
      .limit: Look(color: .rgb(190, 20, 40), basic: .palette(1)),
      .rail: Look(color: .rgb(100, 116, 146), basic: .palette(8)),
      .railWindow: Look(color: .rgb(0, 100, 160), basic: .palette(4), attributes: .bold, plain: .bold),
      .series1: Look(color: .rgb(0, 100, 160), basic: .palette(4)),
      .series2: Look(color: .rgb(130, 40, 160), basic: .palette(5)),
      .series3: Look(color: .rgb(21, 115, 44), basic: .palette(12)),
      .series4: Look(color: .rgb(146, 92, 0), basic: .palette(0)),
      .series5: Look(color: .rgb(153, 60, 17), basic: .palette(1)),
      .series6: Look(color: .rgb(60, 70, 190), basic: .palette(5)),
      .band: Look(background: .rgb(211, 235, 230)), .bandWide: Look(background: .rgb(231, 244, 241)),
      .excessBand: Look(background: .rgb(248, 215, 211)),
      .excessBandWide: Look(background: .rgb(252, 235, 232)),
    ])
}

extension Palette {
  /// For cream terminals, such as Solarized Light.
  static let paper = Palette(
    name: "paper", background: .rgb(253, 246, 227), foreground: .rgb(75, 68, 54),
    height: Scale(low: .rgb(92, 143, 128), high: .rgb(30, 100, 85), basic: (.palette(6), .palette(4))),
    excess: Scale(
      low: .rgb(150, 88, 10), high: .rgb(180, 30, 30), basic: (.palette(5), .palette(1)), plain: .bold),
    looks: [
      .value: Look(attributes: .bold, plain: .bold),
      .dim: Look(color: .rgb(110, 104, 90), basic: .standard, plain: .dim),
      .border: Look(color: .rgb(150, 142, 122), basic: .palette(8), plain: .dim),
      .borderFocused: Look(color: .rgb(30, 100, 150), basic: .palette(4)),
      .title: Look(attributes: .bold, plain: .bold),
      .header: Look(color: .rgb(92, 86, 72), basic: .standard, plain: .dim),
      .key: Look(attributes: .bold, plain: .bold),
      .good: Look(color: .rgb(60, 110, 20), basic: .palette(4)),
      .warning: Look(color: .rgb(150, 84, 0), basic: .palette(5), plain: .bold),
      .alert: Look(color: .rgb(180, 30, 30), basic: .palette(1), attributes: .bold, plain: .bold),
      .accent: Look(color: .rgb(20, 100, 140), basic: .palette(4), plain: .bold),
      .selection: Look(
        attributes: .bold, plain: .reverse, background: .rgb(238, 232, 213), basicBackground: .palette(7)),
      .marker: Look(color: .rgb(150, 84, 0), basic: .palette(5)),
      .gap: Look(color: .rgb(110, 104, 90), basic: .standard, plain: .dim),
      .limit: Look(color: .rgb(180, 30, 30), basic: .palette(1)),
      .rail: Look(color: .rgb(120, 112, 94), basic: .palette(8)),
      .railWindow: Look(color: .rgb(20, 100, 140), basic: .palette(4), attributes: .bold, plain: .bold),
      .series1: Look(color: .rgb(20, 100, 140), basic: .palette(4)),
      .series2: Look(color: .rgb(150, 40, 120), basic: .palette(5)),
      .series3: Look(color: .rgb(60, 110, 20), basic: .palette(12)),
      .series4: Look(color: .rgb(150, 84, 0), basic: .palette(0)),
      .series5: Look(color: .rgb(155, 49, 16), basic: .palette(1)),
      .series6: Look(color: .rgb(72, 72, 154), basic: .palette(5)),
      .band: Look(background: .rgb(227, 230, 208)), .bandWide: Look(background: .rgb(240, 239, 220)),
      .excessBand: Look(background: .rgb(243, 213, 196)),
      .excessBandWide: Look(background: .rgb(248, 228, 212)),
    ])
}
