import Codecs
package import DeliverySimulation
package import Platform

extension DeliveryWorld: ComparedWorld {
  package typealias Folded = ClientState

  package static func change(_ words: String, of engine: ClientState) -> DeliverySimulationAct? {
    DeliveryActs.all.change(words, of: engine)
  }

  package static func act(_ act: DeliverySimulationAct, isLike fault: EndpointFault) -> Bool { false }

  package static func sentence(of engine: ClientState, at moment: Timestamp) -> String {
    EngineSentence(of: engine, at: moment, zone: .utc).wordings.first ?? ""
  }
}
