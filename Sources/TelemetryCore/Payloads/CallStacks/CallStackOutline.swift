import Aggregation

/// The call stacks of several diagnostics as one tree: equal frames at the same place are one node, the heaviest first.
///
/// ```swift
/// let outline = CallStackOutline(crashes.map(\.callStacks))
/// for row in outline.rows(unfolded: unfolded) { print(row.name, row.total, row.own) }
/// ```
///
/// A frame is the same as another one if it is in the same build of the same program at the same offset (or, if that is
/// unknown, at the same address) and all frames above it are the same. A stack without samples weighs one. Sums stop at the
/// largest number. Nothing here recurses, because the file decides how deep frames nest.
public struct CallStackOutline: Hashable, Sendable {
  /// Identifies a node, also when the tree is made again from more diagnostics.
  public typealias ID = UInt64

  /// The most nodes of a tree; further frames are left out.
  public static let nodeLimit = 100_000

  /// A place in a program, with all that was seen there and below.
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
  /// How many frames are not in the tree: they nested too deep, or were too many.
  public private(set) var framesLeftOut = 0
  /// How many stacks are not in the tree: those of threads that are not to blame.
  public private(set) var stacksLeftOut = 0

  /// The tree of some call stacks.
  ///
  /// - Parameters:
  ///   - stacks: Those of the diagnostics, in any order.
  ///   - depthLimit: How many frames a path has at most.
  public init(_ stacks: [RecordedCallStacks], depthLimit: Int = RecordedCallStacks.depthLimit) {
    var merge = CallStackMerge(depthLimit: depthLimit)
    for recorded in stacks {
      merge.add(recorded)
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
  /// A line of the list that a person folds and unfolds.
  public struct Row: Hashable, Sendable {
    /// Which node it shows.
    public let id: ID
    /// How many rows it is below; 0 for those that nothing calls.
    public let depth: Int
    /// `App +0x1f4c`, or the address where no program is known.
    ///
    /// As the payload says it, not made safe for a terminal.
    public let name: String
    /// Samples here and below.
    public let total: Int
    /// Samples here alone.
    public let own: Int
    /// Of all samples, those here and below; 0 to 1.
    public let share: Double
    /// True if there is something below.
    public let isFoldable: Bool
    /// True if that is shown.
    public let isUnfolded: Bool
  }

  /// The rows that are to be seen.
  ///
  /// - Parameter unfolded: The nodes below which rows are shown.
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

  /// Nodes to unfold to see where a node leads: itself, and on from there as long as there is one way only.
  ///
  /// The stack of a crash is one way from its first frame to its last.
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
