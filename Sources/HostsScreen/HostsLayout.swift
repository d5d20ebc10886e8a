package import DashboardCore
package import TerminalUI

/// The panes of the Hosts screen.
package enum HostsPane: CaseIterable, Hashable, Sendable {
  case fleet, table
}

/// An area of the Hosts screen.
package enum HostsArea: ScreenArea {
  case pane(HostsPane)
  case sentence
}

/// The layout of the Hosts screen.
package struct HostsLayout: ScreenLayout {
  package let frame: ScreenFrame
  package let places: [HostsArea: Rect]

  package init(size: Size) {
    frame = ScreenFrame(size: size)
    places = Self.table(frame.step).places(in: frame.body)
  }

  private static func table(_ step: LayoutStep) -> AreaTable<HostsArea> {
    let sentence = AreaTable<HostsArea>.area(.sentence, .fixed(1))
    switch step {
    case .wide: return .rows([sentence, .pane(.fleet, .share(1, of: 3, atLeast: 9)), .pane(.table)])
    case .medium: return .rows([sentence, .pane(.fleet, .fixed(8)), .pane(.table)])
    case .stacked: return .rows([sentence, .pane(.fleet, .fixed(6)), .pane(.table)])
    case .narrow, .list: return .rows([sentence, .pane(.table)])
    case .tiny: return .rows([])
    }
  }

  /// Keys act in the table alone.
  package var panes: [HostsPane] { self[.table].isEmpty ? [] : [.table] }

  /// The table with its titles.
  var tableArea: Rect { inner(of: self[.table]) }

  var hasTableHeader: Bool { step < .list }

  /// Number of visible rows in the table.
  package var tableRows: Int { max(0, tableArea.height - (hasTableHeader ? 1 : 0)) }

  /// Columns of the heat map, at the right end of the table.
  package var heatColumns: Int {
    switch step {
    case .wide, .medium: max(8, tableArea.width - 60)
    case .stacked, .narrow: max(8, tableArea.width - 46)
    case .list: max(8, tableArea.width - 23)
    case .tiny: max(8, frame.size.width)
    }
  }

  /// Columns of the value axis of the fleet's chart.
  var gutter: Int { step <= .medium ? 7 : 6 }

  /// The fleet's chart, whose columns stand above those of the heat map.
  var chartArea: Rect {
    let area = inner(of: self[.fleet])
    return area.inset(left: max(0, area.width - heatColumns - gutter - 1))
  }

  /// The area left of the chart.
  var figuresArea: Rect {
    let area = inner(of: self[.fleet])
    return Rect(x: area.x + 1, y: area.y, width: max(0, chartArea.x - area.x - 2), height: area.height)
  }
}
