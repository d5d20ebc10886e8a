import Foundation
import JSONLines
import TestSupport
import Testing

@Test func debugSeed() {
  let env = ProcessInfo.processInfo.environment
  guard let seed = env["SEED"].flatMap(UInt64.init) else { return }
  var world = TailWorld(seed: seed, actions: env["GENTLE"] != nil ? TailWorld.Action.gentle : (env["SET"] == "c" ? TailWorld.Action.compacted : TailWorld.Action.harsh))
  world.trace = true
  world.run(steps: 60)
  print("DBG fault \(world.fault ?? "-") diff \(world.difference)")
}
