extension Palette {
  /// For low vision and bright sunlight: all text has a contrast of at least 7:1 against black.
  static let highContrast = Palette(
    name: "high-contrast", background: .rgb(0, 0, 0), foreground: .rgb(255, 255, 255),
    height: Scale(low: .rgb(0, 200, 200), high: .rgb(170, 255, 255), basic: (.palette(6), .palette(14))),
    excess: Scale(
      low: .rgb(255, 215, 0), high: .rgb(255, 135, 135), basic: (.palette(11), .palette(9)), plain: .bold),
    looks: [
      .value: Look(attributes: .bold, plain: .bold),
      .dim: Look(color: .rgb(200, 200, 200), basic: .palette(7), plain: .dim),
      .border: Look(color: .rgb(170, 170, 170), basic: .palette(7), plain: .dim),
      .borderFocused: Look(color: .rgb(255, 255, 0), basic: .palette(11)),
      .title: Look(attributes: .bold, plain: .bold),
      .header: Look(color: .rgb(230, 230, 230), basic: .palette(15), plain: .dim),
      .key: Look(color: .rgb(255, 255, 0), basic: .palette(11), plain: .bold),
      .good: Look(color: .rgb(0, 255, 0), basic: .palette(10)),
      .warning: Look(color: .rgb(255, 215, 0), basic: .palette(11), plain: .bold),
      .alert: Look(color: .rgb(255, 135, 135), basic: .palette(9), attributes: .bold, plain: .bold),
      .accent: Look(color: .rgb(0, 255, 255), basic: .palette(14), plain: .bold),
      .selection: Look(
        attributes: .bold, plain: .reverse, background: .rgb(0, 0, 110), basicBackground: .palette(4)),
      .marker: Look(color: .rgb(255, 215, 0), basic: .palette(11)),
      .gap: Look(color: .rgb(200, 200, 200), basic: .palette(7), plain: .dim),
      .limit: Look(color: .rgb(255, 135, 135), basic: .palette(9)),
      .rail: Look(color: .rgb(200, 200, 200), basic: .palette(7)),
      .railWindow: Look(color: .rgb(0, 255, 255), basic: .palette(14), attributes: .bold, plain: .bold),
      .series1: Look(color: .rgb(0, 255, 255), basic: .palette(14)),
      .series2: Look(color: .rgb(255, 175, 255), basic: .palette(13)),
      .series3: Look(color: .rgb(0, 255, 0), basic: .palette(10)),
      .series4: Look(color: .rgb(255, 255, 0), basic: .palette(11)),
      .series5: Look(color: .rgb(255, 175, 95), basic: .palette(9)),
      .series6: Look(color: .rgb(175, 215, 255), basic: .palette(15)),
      .band: Look(background: .rgb(0, 60, 70)), .bandWide: Look(background: .rgb(0, 38, 46)),
      .excessBand: Look(background: .rgb(75, 20, 20)), .excessBandWide: Look(background: .rgb(48, 12, 12)),
    ])
}
