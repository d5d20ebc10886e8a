import Codecs
package import Platform
package import SyncSimulation

extension SyncWorld: ComparedWorld {
  package typealias Folded = EngineState

  package static func change(_ words: String, of engine: EngineState) -> SimulationAct? {
    SyncActs.all.change(words, of: engine)
  }

  package static func act(_ act: SimulationAct, isLike fault: SimulatedFault) -> Bool {
    if case .answer(let answer) = act { answer.isLike(fault) } else { false }
  }

  package static func sentence(of engine: EngineState, at moment: Timestamp) -> String {
    EngineSentence(of: engine, at: moment, zone: .utc).wordings.first ?? ""
  }
}
