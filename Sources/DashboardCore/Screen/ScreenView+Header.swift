import Aggregation
import Codecs
import History
import JSONLines
import Platform
package import TerminalUI

// The first row: the subject, the playhead, and the feed's health.
extension ScreenView {
  package func drawHeader(into buffer: inout Buffer) {
    let area = frame.header
    let help = Line([Span(session.keyText("?"), theme[.key]), Span(" help", theme[.dim])])
      .hinting(session.keyText("?"))
    let helpWidth = help.width(buffer.repertoire)
    buffer.write(help, at: Position(x: area.maxX - helpWidth - 1, y: area.y))
    var used = buffer.write(
      tabs, at: Position(x: session.tabsStart, y: area.y), limit: area.width - helpWidth - 2)
    used += session.tabsStart
    if !subject.isEmpty, frame.step < .list {
      used += 2
      let subject = subject(room: area.width - used - helpWidth - 4 - truthWidth(buffer.repertoire))
      used += buffer.write(
        subject, at: Position(x: area.x + used, y: area.y), style: theme[.title], limit: area.width * 2 / 5,
        overflow: .ellipsis)
    }
    let room = Rect(
      x: area.x + used + 1, y: area.y, width: area.width - used - helpWidth - 3, height: 1)
    drawTruth(in: room, into: &buffer)
  }

  /// The longest wording of the subject that leaves enough space for the rest of the row; otherwise the shortest.
  private func subject(room: Int) -> String {
    let wordings = [subject] + shorterSubjects
    return wordings.first { $0.count <= room } ?? wordings[wordings.count - 1]
  }

  /// The width of all parts on the right, in columns.
  private func truthWidth(_ repertoire: Repertoire) -> Int {
    let gap = frame.step >= .list ? 1 : 3
    return headerParts.reduce(0) { $0 + $1.line.width(repertoire) + gap }
  }

  private var tabs: Line {
    guard frame.step < .list else {
      return Line(
        SafeText.truncated(shortSubject, to: max(8, shortSubjectRoom)), theme[.accent].adding(.bold))
    }
    return session.tabsWidget.line(isCompact: frame.step > .medium)
  }

  /// Draws the parts from the right, as many as fit; the playhead's state is dropped last.
  private func drawTruth(in area: Rect, into buffer: inout Buffer) {
    let parts = headerParts
    let separator = Line(frame.step >= .list ? " " : " \(signs.separator) ", theme[.border])
    let gap = separator.width(buffer.repertoire)
    var shown = parts
    func width(_ parts: [HeaderPart]) -> Int {
      parts.reduce(0) { $0 + $1.line.width(buffer.repertoire) + gap }
    }
    while shown.count > 1, width(shown) > area.width {
      guard let drop = shown.indices.max(by: { shown[$0].dropOrder < shown[$1].dropOrder }) else { break }
      if let short = shown[drop].short {
        shown[drop] = HeaderPart(line: short, dropOrder: shown[drop].dropOrder)
      } else if shown[drop].dropOrder <= 0 {
        // The clock and the playhead stay, cut where they must be.
        break
      } else {
        shown.remove(at: drop)
      }
    }
    if width(shown) > area.width, session.isFrozen {
      shown = [HeaderPart(line: playheadLine(isShort: true), dropOrder: 0)]
    }
    var x = max(area.x, area.maxX - width(shown))
    for (index, part) in shown.enumerated() {
      let limit = max(0, area.maxX - x - gap)
      x += buffer.write(part.line, at: Position(x: x, y: area.y), limit: limit, overflow: .ellipsis)
      if index < shown.count - 1 || area.maxX - x >= gap {
        x += buffer.write(separator, at: Position(x: x, y: area.y), limit: max(0, area.maxX - x))
      }
    }
  }

  private var headerParts: [HeaderPart] {
    var parts: [HeaderPart] = []
    if let (name, formats) = sourceSpans {
      parts.append(HeaderPart(line: [name, formats], dropOrder: 3, short: [name]))
    }
    if let host = hostPart { parts.append(host) }
    if let skew = skewPart { parts.append(skew) }
    parts.append(HeaderPart(line: playheadLine, dropOrder: -1))
    if session.isFrozen {
      let age = DurationFormat.text(max(0, session.clock - session.present))
      parts.append(HeaderPart(line: Line("\(age) ago", theme[.dim]), dropOrder: 5))
      let live = Line([Span(session.keyText("F"), theme[.key]), Span("=live", theme[.dim])])
      parts.append(HeaderPart(line: live.hinting(session.keyText("F")), dropOrder: 3))
    }
    if let problem = session.shown.status.problem, session.store.count > 0 {
      let count = max(1, session.shown.status.unreadFiles)
      let files = count == 1 ? "1 file is not read" : "\(NumberFormat.count(count)) files are not read"
      let short = session.shown.status.isRemote ? "no answer" : files
      parts.append(
        HeaderPart(
          line: Line("! \(problem)", theme[.alert]), dropOrder: 1, short: Line("! \(short)", theme[.alert])))
    }
    if let progress = progressLine { parts.append(HeaderPart(line: progress, dropOrder: 2)) }
    // Unreadable lines are more important than the rate of readable ones.
    let rejected = session.shown.status.rejected + session.unreadPayloads.count
    let rates = ratesLine
    if !rates.isEmpty { parts.append(HeaderPart(line: rates, dropOrder: 4)) }
    if rejected > 0 {
      let bad = Line("bad \(NumberFormat.count(rejected))", theme[.warning])
      parts.append(HeaderPart(line: bad.hinting(session.keyText("!")), dropOrder: 1))
    }
    let alerts = session.alerts.count(at: session.present)
    if alerts > 0 {
      let count = Line("! \(alerts)", theme[.alert]).hinting(session.keyText("e"))
      parts.append(HeaderPart(line: count, dropOrder: 1))
    }
    return parts
  }

  /// The name of the first source, and the formats that were recognized.
  private var sourceSpans: (name: Span, formats: Span)? {
    let sources = session.operands.isEmpty ? session.shown.status.sources : session.operands
    let isAsNamed = session.operands.isEmpty
    guard
      let first = sources.first.map({ path in
        isAsNamed
          ? session.fileNames.short(path) : PathParts.end(of: path)
      })
    else { return nil }
    let room = frame.step == .wide ? 40 : 22
    let name = first.count > room ? signs.ellipsis + String(first.suffix(room - 1)) : first
    let isPolled = session.shown.status.polling != nil
    let formats = (session.shown.status.formats.map(\.typeName) + (isPolled ? ["polled"] : []))
      .joined(separator: ", ")
    return (
      Span(name + (sources.count > 1 ? " +\(sources.count - 1)" : ""), theme[.header]),
      Span(formats.isEmpty ? "" : " (\(formats))", theme[.dim])
    )
  }

  /// The host that the screens are narrowed to, or the warning that this one is not; it stays at every width.
  private var hostPart: HeaderPart? {
    guard let host = session.scope.host else { return nil }
    let name = SafeText.truncated(SafeText.sanitized(host), to: frame.step >= .list ? 10 : 24)
    let shown = screen.asksHistory ? session.history.answer?.query.scope : session.shown.scope
    guard shown == session.scope else {
      // The reason for it is more important than the name.
      let words = session.shown.status.problem == nil ? "all hosts, not only \(name)" : "all hosts"
      return HeaderPart(
        line: Line(words, theme[.warning]), dropOrder: 0,
        short: Line("all hosts", theme[.warning]))
    }
    return HeaderPart(
      line: Line("host \(name)", theme[.accent].adding(.bold)), dropOrder: 0,
      short: Line(name, theme[.accent].adding(.bold)))
  }

  /// The source whose clock differs most; it stays at every width.
  private var skewPart: HeaderPart? {
    guard let skew = session.greatestSkew, let text = session.skewText else { return nil }
    let others = session.shown.status.skews.count - 1
    let short = frame.step >= .list ? skew.brief : skew.words + (others > 0 ? " +\(others)" : "")
    return HeaderPart(
      line: Line(text, theme[.warning]).hinting(session.keyText("@")), dropOrder: 0,
      short: Line(short, theme[.warning]))
  }

  /// The playhead's state: live, past, or frozen.
  package var playheadLine: Line { playheadLine(isShort: false) }

  /// - Parameter isShort: true to show only the time of day.
  private func playheadLine(isShort: Bool) -> Line {
    if session.isFrozen {
      let precision = screen.precision
      let new = max(0, session.feed.store.recorded - session.recordedAtFreeze)
      // With little space, the time is more important than the date.
      let moment =
        frame.step >= .list || isShort
        ? zone.time(session.present, precision)
        : zone.exactMoment(session.present, now: session.now, precision)
      return [
        Span("\(signs.frozen) \(moment)", theme[.warning].adding(.bold)),
        Span(" +\(NumberFormat.count(new)) new", new > 0 ? theme[.value] : theme[.dim]),
      ]
    }
    // The screen's own time appears beside the tabs.
    if hasOwnTime, frame.step < .list {
      return Line("\(signs.live) LIVE", theme[.good].adding(.bold))
    }
    guard let newest = session.newest else { return Line("\(signs.live) no samples", theme[.dim]) }
    let age = session.clock - newest
    guard session.shown.status.isFollowing || frame.step >= .list else {
      let moment = frame.step >= .narrow ? zone.time(newest) : zone.moment(newest, now: session.now)
      return Line("\(signs.live) ended, newest \(moment)", theme[.header])
    }
    // A wide window does not make an old file live.
    if age <= min(session.window, 3600) {
      let word = frame.step >= .list ? "" : "LIVE "
      // An unreadable file is not live, however new its samples are.
      guard session.shown.status.problem == nil else {
        return Line("\(signs.live) \(zone.time(newest))", theme[.warning].adding(.bold))
      }
      return Line("\(signs.live) \(word)\(zone.time(newest))", theme[.good].adding(.bold))
    }
    let moment = frame.step >= .narrow ? "" : " (\(zone.moment(newest, now: session.now)))"
    return [
      Span("\(signs.live) newest \(DurationFormat.text(age)) ago", theme[.warning].adding(.bold)),
      Span(moment, theme[.dim]),
    ]
  }

  private var progressLine: Line? {
    guard let progress = session.shown.status.progress, progress.total > 0 else { return nil }
    let share = max(0, min(1, progress.done / progress.total))
    let rate = progress.perSecond.map { $0 > 0 ? " \(ValueUnit.bytes.text($0))B/s" : "" } ?? ""
    return Line(
      [Span("reading ", theme[.accent])] + theme.bar(share, width: 8, .accent).spans
        + [Span(" \(Int(share * 100))%", theme[.accent]), Span(rate, theme[.dim])])
  }

  private var ratesLine: Line {
    let status = session.shown.status
    let isLive = !session.isFrozen && session.hasRecentSamples
    var line = Line()
    // A feed that keeps up needs no text, and a clock that differs has one of its own.
    if let lag = status.lag, isLive, status.skews.isEmpty, lag.magnitude >= 1 {
      // A simulation may record entries with a future time.
      let isAhead = lag <= -1
      line.append(
        "\(isAhead ? "ahead" : "lag") \(DurationFormat.text(isAhead ? -lag : max(0, lag)))",
        theme[lag > 5 ? .warning : .header])
    }
    if status.linesPerSecond > 0, isLive {
      let rate = NumberFormat.count(Int(min(1e15, status.linesPerSecond.rounded())))
      line.append("\(line.isEmpty ? "" : " ")\(rate)/s", theme[.header])
    }
    return line
  }
}

/// One part of the header.
package struct HeaderPart {
  package let line: Line
  /// Parts with the highest value are dropped first.
  package let dropOrder: Int
  /// A shorter form, shown before the part is dropped.
  package var short: Line?

  package init(line: Line, dropOrder: Int, short: Line? = nil) {
    self.line = line
    self.dropOrder = dropOrder
    self.short = short
  }
}

extension Session {
  /// The first column of the tabs.
  package var tabsStart: Int { ScreenFrame(size: size).step > .medium ? 0 : 1 }

  package var tabsWidget: Tabs {
    func tabs(_ names: [String]) -> Tabs {
      Tabs(
        names, keys: names.indices.map { String(ScreenTabs.key(of: $0)) }, selection: self.tabs.selection,
        theme: theme)
    }
    let whole = tabs(self.tabs.titles.map(\.title))
    let isShort = ScreenFrame(size: size).step > .medium || whole.full.width() > size.width / 2
    return isShort ? tabs(self.tabs.titles.map(\.shortTitle)) : whole
  }
}
