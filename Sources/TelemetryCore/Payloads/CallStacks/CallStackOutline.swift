import Aggregation

/// The call stacks of several diagnostics as one tree: equal frames at the same place are one node, heaviest first.
///
/// ```swift
/// let outline = CallStackOutline(crashes.map(\.callStacks))
/// for row in outline.rows(unfolded: unfolded) { print(row.name, row.total, row.own) }
/// ```
///
/// Two frames are equal if they are in the same build of the same program at the same offset (or, if that is unknown,
/// at the same address) and all frames above them are equal. A stack without samples weighs one. Sums saturate. The
/// code does not recurse, because the depth of the frames comes from a file.
public struct CallStackOutline: Hashable, Sendable {
  /// Identifies a node, stable even when the tree is rebuilt from more diagnostics.
  public typealias ID = UInt64

  /// Maximum number of nodes in a tree; further frames are left out.
  public static let nodeLimit = 100_000

  /// A place in a program, with all samples seen there and below.
  struct Node: Hashable, Sendable {
    let id: ID
    let depth: Int
    let name: String
    /// Samples here and below.
    var total = 0
    /// Samples here.
    var own = 0
    var children: [Int] = []
  }

  private(set) var nodes: [Node] = []
  private var roots: [Int] = []
  private var places: [ID: Int] = [:]
  /// The samples of all stacks.
  public private(set) var total = 0
  /// Number of frames missing from the tree because they nested too deep or were too many.
  public private(set) var framesLeftOut = 0
  /// Number of stacks missing from the tree because their threads are not to blame.
  public private(set) var stacksLeftOut = 0

  /// Builds the tree of call stacks.
  ///
  /// - Parameters:
  ///   - stacks: The call stacks of the diagnostics, in any order.
  ///   - beginsInnermost: True if a frame is above those that called it, as in crashes.
  ///   - depthLimit: Maximum number of frames in a path.
  public init(
    _ stacks: [RecordedCallStacks], beginsInnermost: Bool = false,
    depthLimit: Int = RecordedCallStacks.depthLimit
  ) {
    var merge = CallStackMerge(depthLimit: depthLimit)
    for recorded in stacks {
      merge.add(recorded, beginsInnermost: beginsInnermost)
      framesLeftOut = framesLeftOut.addingSaturated(recorded.framesLeftOut)
      stacksLeftOut = stacksLeftOut.addingSaturated(recorded.stacksLeftOut)
    }
    framesLeftOut = framesLeftOut.addingSaturated(merge.leftOut)
    total = merge.total
    roots = Self.sorted(merge.roots, of: merge.nodes)
    nodes = merge.nodes.map { node in
      var node = node
      node.children = Self.sorted(node.children, of: merge.nodes)
      return node
    }
    for (index, node) in nodes.enumerated() { places[node.id] = index }
  }

  private static func sorted(_ indices: [Int], of nodes: [Node]) -> [Int] {
    guard indices.count > 1 else { return indices }
    return indices.sorted { first, second in
      let (first, second) = (nodes[first], nodes[second])
      return (second.total, first.name, first.id) < (first.total, second.name, second.id)
    }
  }
}

extension CallStackOutline {
  /// A row of the foldable list.
  public struct Row: Hashable, Sendable {
    /// The node of the row.
    public let id: ID
    /// Depth of the row; 0 for frames without a caller.
    public let depth: Int
    /// `App checkout(), Cart.swift:31`; `App +0x1f4c` without symbols, or the address if the program is unknown.
    ///
    /// As the payload has it, not sanitized for a terminal.
    public let name: String
    /// Samples here and below.
    public let total: Int
    /// Samples here only.
    public let own: Int
    /// Share of all samples that are here or below, from 0 to 1.
    public let share: Double
    /// True if there are rows below.
    public let isFoldable: Bool
    /// True if those rows are shown.
    public let isUnfolded: Bool
  }

  /// The visible rows.
  ///
  /// - Parameter unfolded: Nodes whose children are shown.
  public func rows(unfolded: Set<ID>) -> [Row] {
    var rows: [Row] = []
    var waiting: [Int] = roots.reversed()
    while let index = waiting.popLast() {
      let node = nodes[index]
      let isUnfolded = !node.children.isEmpty && unfolded.contains(node.id)
      rows.append(
        Row(
          id: node.id, depth: node.depth, name: node.name, total: node.total, own: node.own,
          share: total > 0 ? min(1, Double(node.total) / Double(total)) : 0,
          isFoldable: !node.children.isEmpty, isUnfolded: isUnfolded))
      if isUnfolded { waiting += node.children.reversed() }
    }
    return rows
  }

  /// All nodes that can be unfolded.
  package var foldable: Set<ID> { Set(nodes.lazy.filter { !$0.children.isEmpty }.map(\.id)) }

  /// Nodes to unfold to see where a node leads: the node itself, and its descendants as long as there is only one.
  ///
  /// The stack of a crash is a single path from its first frame to its last.
  public func way(from id: ID) -> Set<ID> {
    var way: Set<ID> = []
    var next = places[id]
    while let index = next, !nodes[index].children.isEmpty {
      way.insert(nodes[index].id)
      next = nodes[index].children.count == 1 ? nodes[index].children[0] : nil
    }
    return way
  }
}
