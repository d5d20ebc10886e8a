extension Palette {
  /// For dark terminals; text keeps the terminal's own colour so that any background works.
  static let standard = Palette(looks: [
    .value: Look(attributes: .bold, plain: .bold),
    .dim: Look(color: .rgb(128, 136, 150), basic: .palette(8), plain: .dim),
    .border: Look(color: .rgb(88, 98, 116), basic: .palette(8), plain: .dim),
    .borderFocused: Look(color: .rgb(122, 162, 247), basic: .palette(12)),
    .title: Look(attributes: .bold, plain: .bold),
    .header: Look(color: .rgb(150, 160, 178), basic: .palette(7), plain: .dim),
    .headerBar: Look(),
    .key: Look(color: .rgb(224, 175, 104), basic: .palette(11), plain: .bold),
    .good: Look(color: .rgb(126, 211, 133), basic: .palette(10)),
    .warning: Look(color: .rgb(236, 190, 100), basic: .palette(11), plain: .bold),
    .alert: Look(color: .rgb(247, 118, 122), basic: .palette(9), attributes: .bold, plain: .bold),
    .accent: Look(color: .rgb(125, 207, 255), basic: .palette(14), plain: .bold),
    .selection: Look(
      attributes: .bold, plain: .reverse, background: .rgb(44, 54, 80), basicBackground: .palette(4)),
    .marker: Look(color: .rgb(236, 190, 100), basic: .palette(11)),
    .gap: Look(color: .rgb(128, 136, 150), basic: .palette(8), plain: .dim),
    .limit: Look(color: .rgb(247, 118, 122), basic: .palette(9)),
    .rail: Look(color: .rgb(110, 130, 160), basic: .palette(8)),
    .railWindow: Look(color: .rgb(125, 207, 255), basic: .palette(14), attributes: .bold, plain: .bold),
    .series1: Look(color: .rgb(125, 207, 255), basic: .palette(14)),
    .series2: Look(color: .rgb(224, 160, 250), basic: .palette(13)),
    .series3: Look(color: .rgb(126, 211, 133), basic: .palette(10)),
    .series4: Look(color: .rgb(236, 190, 100), basic: .palette(11)),
    .series5: Look(color: .rgb(255, 150, 108), basic: .palette(9)),
    .series6: Look(color: .rgb(150, 170, 255), basic: .palette(12)),
  ])

  /// For light terminals: the same meanings, darker.
  static let light = Palette(looks: [
    .value: Look(attributes: .bold, plain: .bold),
    .dim: Look(color: .rgb(105, 112, 125), basic: .palette(8), plain: .dim),
    .border: Look(color: .rgb(150, 158, 172), basic: .palette(8), plain: .dim),
    .borderFocused: Look(color: .rgb(30, 90, 200), basic: .palette(4)),
    .title: Look(attributes: .bold, plain: .bold),
    .header: Look(color: .rgb(85, 95, 112), basic: .palette(8), plain: .dim),
    .key: Look(color: .rgb(140, 84, 0), basic: .palette(5), plain: .bold),
    .good: Look(color: .rgb(22, 120, 46), basic: .palette(2)),
    .warning: Look(color: .rgb(146, 92, 0), basic: .palette(3), plain: .bold),
    .alert: Look(color: .rgb(190, 20, 40), basic: .palette(1), attributes: .bold, plain: .bold),
    .accent: Look(color: .rgb(0, 100, 160), basic: .palette(4), plain: .bold),
    .selection: Look(
      attributes: .bold, plain: .reverse, background: .rgb(208, 220, 244), basicBackground: .palette(7)),
    .marker: Look(color: .rgb(146, 92, 0), basic: .palette(3)),
    .gap: Look(color: .rgb(105, 112, 125), basic: .palette(8), plain: .dim),
    .limit: Look(color: .rgb(190, 20, 40), basic: .palette(1)),
    .rail: Look(color: .rgb(100, 116, 146), basic: .palette(8)),
    .railWindow: Look(color: .rgb(0, 100, 160), basic: .palette(4), attributes: .bold, plain: .bold),
    .series1: Look(color: .rgb(0, 100, 160), basic: .palette(4)),
    .series2: Look(color: .rgb(130, 40, 160), basic: .palette(5)),
    .series3: Look(color: .rgb(22, 120, 46), basic: .palette(2)),
    .series4: Look(color: .rgb(146, 92, 0), basic: .palette(3)),
    .series5: Look(color: .rgb(180, 70, 20), basic: .palette(1)),
    .series6: Look(color: .rgb(60, 70, 190), basic: .palette(4)),
  ])
}
