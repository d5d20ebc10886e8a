/// The frames of call stacks as a list, each after the one above it.
///
/// Built without recursion, because the nesting depth comes from a file.
struct FlatCallStacks {
  struct Node {
    let frame: CallStackFrame
    let depth: Int
    /// Its samples, or those of the lightest frame above it, whichever are fewer.
    let weight: Int
  }

  /// Sibling frames.
  private struct Level {
    let frames: [CallStackFrame]
    var next = 0
    /// Weight of the frame above them.
    let weight: Int
  }

  /// Number of all frames, including those that were too deep to keep.
  private(set) var count = 0
  private var nodes: [Node] = []

  init(_ stacks: [CallStack]) {
    for stack in stacks { add(stack) }
  }

  private mutating func add(_ stack: CallStack) {
    var levels = [Level(frames: stack.callStackRootFrames, weight: .max)]
    while let level = levels.last {
      guard level.next < level.frames.count else {
        levels.removeLast()
        continue
      }
      levels[levels.count - 1].next += 1
      let frame = level.frames[level.next]
      let weight = min(level.weight, max(1, frame.sampleCount ?? 1))
      count += 1
      if levels.count <= RecordedCallStacks.depthLimit {
        // The frames below it have nodes of their own.
        var alone = frame
        alone.subFrames = []
        nodes.append(Node(frame: alone, depth: levels.count - 1, weight: weight))
      }
      if !frame.subFrames.isEmpty { levels.append(Level(frames: frame.subFrames, weight: weight)) }
    }
  }

  /// The heaviest frames in their original order; no frame without its parent.
  func heaviest(_ limit: Int) -> [Node] {
    guard nodes.count > limit else { return nodes }
    // No node weighs more than its parent, which comes before it, so a prefix of this order has no gaps.
    let order = nodes.indices.sorted { (nodes[$1].weight, $0) < (nodes[$0].weight, $1) }
    return order.prefix(limit).sorted().map { nodes[$0] }
  }
}
