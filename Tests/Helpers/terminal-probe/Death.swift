#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The ways in which the probe ends by itself: what happens, and where.
enum Death: String {
  case exit
  case exitOnThread = "exit-thread"
  case exitInTask = "exit-task"
  case trap
  case trapOnThread = "trap-thread"
  case trapInTask = "trap-task"
  case overflow
  case overflowOnThread = "overflow-thread"
  case overflowInTask = "overflow-task"
  case memory

  func happen() {
    switch self {
    case .exit, .trap, .overflow, .memory: strike()
    case .exitOnThread, .trapOnThread, .overflowOnThread: strikeOnThread()
    case .exitInTask, .trapInTask, .overflowInTask: Task.detached { strike() }
    }
  }

  private func strike() {
    switch self {
    case .exit, .exitOnThread, .exitInTask: exitNow()
    case .trap, .trapOnThread, .trapInTask:
      let empty: [Int] = []
      print(empty[CommandLine.arguments.count])
    case .overflow, .overflowOnThread, .overflowInTask: print(deeper(0))
    case .memory:
      var held: [[UInt8]] = []
      while true { held.append([UInt8](repeating: 1, count: 1 << 24)) }
    }
  }

  private func strikeOnThread() {
    let name = strdup(rawValue)
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    pthread_create(&thread, nil, { strikeNamed($0) }, name)
  }

  fileprivate static func strike(_ name: String) { Death(rawValue: name)?.strike() }
}

#if canImport(Darwin)
  private func strikeNamed(_ name: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Death.strike(String(cString: name.assumingMemoryBound(to: CChar.self)))
    return nil
  }
#else
  private func strikeNamed(_ name: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    Death.strike(name.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) } ?? "")
    return nil
  }
#endif

private func exitNow() { exit(7) }

@inline(never)
private func deeper(_ depth: Int) -> Int { depth == .max ? 0 : deeper(depth + 1) &+ depth }
