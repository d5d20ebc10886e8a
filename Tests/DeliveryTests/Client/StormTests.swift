import Foundation
import Platform
import TestSupport
import Testing

@testable import DeliveryCore

@Suite("More calls than a client can take")
struct StormTests {
  @Test("The line of calls is a list from which the oldest goes that nobody waits for")
  func model() {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<200 {
      var line = CallLine()
      var list: [String] = []
      for number in 0..<400 {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0:
          let limit = Int.random(in: 0...20, using: &generator)
          #expect(line.take(limit).all.map(name) == Array(list.prefix(limit)))
          list.removeFirst(min(limit, list.count))
        case 1...2:
          let oldest = list.firstIndex { $0 != "flush" }
          #expect(line.pushOut() == (oldest != nil))
          if let oldest { list.remove(at: oldest) }
        case 3:
          line.append(.flush(Waiter {}))
          list.append("flush")
        default:
          line.append(.recordOpenedURL("\(number)", source: nil))
          list.append("\(number)")
        }
        #expect(line.count == list.count && line.isEmpty == list.isEmpty)
      }
      #expect(line.all.map(name) == list)
    }
  }

  private func name(_ call: Call) -> String {
    if case .recordOpenedURL(let url, _) = call { url } else { call.name }
  }

  @Test("A mailbox that overflows costs its callers no more than one that does not")
  func overflow() {
    let queue = CallQueue(limit: 50_000)
    _ = queue.append(.flush(Waiter {}))
    let start = ContinuousClock.now
    // With a move of all that waits for each of these it would be minutes.
    for _ in 0..<400_000 { _ = queue.append(.setTracing(true)) }
    #expect(ContinuousClock.now - start < .seconds(20))
    let (calls, pushedOut) = queue.take()
    #expect(calls.count == 50_000 && calls.first?.name == "flush")
    #expect(pushedOut == 350_001)
  }

  @Test("A stream of calls without an end holds up neither what is delivered nor what is asked")
  func endless() async {
    let rig = ProxyRig()
    await rig.proxy.initializeAndWait(with: ProxyRig.options())
    let isOver = Locked(false)
    let proxy = rig.proxy
    let storm = Thread {
      while !isOver.withLock({ $0 }) { proxy.track("x") }
    }
    storm.start()
    let deadline = ContinuousClock.now + .seconds(120)
    while rig.transport.bodies.count < 5, ContinuousClock.now < deadline {
      try? await Task.sleep(for: .milliseconds(1))
    }
    #expect(rig.transport.bodies.count >= 5)
    #expect(await proxy.getDebugInfo()["lifecycle"] == .text("ready"))
    isOver.withLock { $0 = true }
    await proxy.resetAndWait()
  }
}
