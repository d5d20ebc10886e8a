import SimulationKit
import Testing

@testable import Sync
@testable import SyncSimulation

@Suite("Fault settings as keys change them")
struct FaultSettingTests {
  @Test(arguments: SimulatedFault.allCases) func `Steps go through the range and come back`(
    fault: SimulatedFault
  ) {
    let measure = fault.measure
    let usual = FaultSetting(fault, probability: 0.5, scope: FaultScope(.push), isOn: false)
    #expect(usual.adjusted(by: 0) == usual)
    let more = usual.adjusted(by: 1)
    #expect(more.amount == min(measure.usual + measure.step, measure.range.upperBound))
    #expect(more.probability == 0.5 && more.scope == FaultScope(.push) && !more.isOn)
    #expect(more.adjusted(by: -1).amount == usual.amount || more.amount == measure.range.upperBound)
    for far in [Int.max, .min, 1_000, -1_000] {
      var setting = usual
      for _ in 0..<3 { setting = setting.adjusted(by: far) }
      #expect(measure.range.contains(setting.amount))
      if far.magnitude > 1_000_000 {
        #expect(setting.amount == (far > 0 ? measure.range.upperBound : measure.range.lowerBound))
      }
    }
  }

  @Test func `Amounts stay round, and an end beside the steps is left for the next step`() {
    var cut = FaultSetting(.disconnect)
    for _ in 0..<7 { cut = cut.adjusted(by: 1) }
    #expect(cut.amount == 0.4)
    let patience = FaultSetting(.dropReply).adjusted(by: -9)
    #expect(patience.amount == 0.1 && patience.adjusted(by: 1).amount == 5)
    #expect(FaultSetting(.latency, amount: 333).adjusted(by: 1).amount == 400)
    #expect(FaultSetting(.latency, amount: 333).adjusted(by: -1).amount == 300)
    #expect(FaultSetting(.unauthorized).adjusted(by: 1).amount == 403)
    #expect(FaultSetting(.offline).adjusted(by: 5) == FaultSetting(.offline))
  }

  @Test func `Likelihoods and scopes go round`() {
    var setting = FaultSetting(.rateLimit, isOn: false)
    #expect(setting.toggled.isOn && setting.toggled.toggled == setting)
    var likelihoods: [Double] = []
    var scopes: [String] = []
    for _ in 0..<5 {
      setting = setting.withNextLikelihood.withNextScope
      likelihoods.append(setting.probability)
      scopes.append(setting.scope.description)
    }
    #expect(likelihoods == [0.5, 0.2, 0.1, 1, 0.5])
    #expect(scopes == ["probe", "push", "pull", "bootstrap", "all"])
    #expect(FaultSetting(.rateLimit, probability: 0.3).withNextLikelihood.probability == 0.2)
    #expect(FaultSetting(.rateLimit, probability: 0).withNextLikelihood.probability == 1)
    #expect(
      FaultSetting(.rateLimit, scope: FaultScope(.push, kind: "event")).withNextScope.scope
        == FaultScope(.pull))
  }
}
