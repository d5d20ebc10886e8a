package import DeliverySimulation
package import SimulationKit
package import SyncSimulation
import TerminalUI

/// An act of a simulation, with its description.
package protocol EngineAct: DrivenAct {
  var words: String { get }
}

extension SimulationAct: EngineAct {}
extension DeliverySimulationAct: EngineAct {}

/// The acts that a user can perform, and the possible changes in another branch of an engine.
package struct EngineActs<Engine: FoldedEngine, Act: EngineAct>: Sendable where Act.Fault: EngineFault {
  /// A change; `nil` for none.
  package typealias Change = (title: String, act: Act?)

  /// Maximum number of objects created at once.
  private static var largestCount: Int { 100_000 }

  /// All acts that can be performed by hand, for a number of objects.
  private let all: @Sendable (_ count: Int) -> [(title: String, act: Act)]
  /// Changes of the constants; typed values come first.
  private let tuned: @Sendable (Engine, _ typed: [Double]) -> [Change]
  /// Acts that another branch may begin with.
  private let first: [Act]
  /// The amount shown after the name of a fault.
  private let amount: @Sendable (Act.Fault) -> String

  /// - Parameter configure: The act that changes the constants.
  init<Constants>(
    all: @escaping @Sendable (_ count: Int) -> [(title: String, act: Act)],
    tunings: [EngineTuning<Constants>], of constants: any KeyPath<Engine, Constants> & Sendable,
    configure: @escaping @Sendable (Constants) -> Act, first: [Act],
    amount: @escaping @Sendable (Act.Fault) -> String = { $0.text($0.measure.usual) }
  ) {
    (self.all, self.first, self.amount) = (all, first, amount)
    tuned = { engine, typed in
      let constants = engine[keyPath: constants]
      return tunings.flatMap { $0.changes(of: constants, typed: typed) }.map { ($0.title, configure($0.new)) }
    }
  }

  /// - Parameter query: The input; a number in it sets how many objects are created at once.
  func choices(_ query: String) -> [(title: String, act: Act)] {
    let count = query.split(separator: " ").lazy.compactMap { Int($0) }.first
    return all(count.map { max(1, min(Self.largestCount, $0)) } ?? 1)
  }

  /// Possible changes in another branch of an engine.
  ///
  /// - Parameter query: The input; a number in it is an alternative value for the constants.
  func changes(of engine: Engine, _ query: String) -> [Change] {
    let typed = query.split(separator: " ").compactMap { Double($0) }
    let active = engine.faults.filter(\.isOn).compactMap { Act.Fault(rawValue: $0.fault) }
    let without = active.map { fault -> Change in
      ("without \(fault.words)", .fault(DrivenFaultSetting(fault, isOn: false)))
    }
    let with = Act.Fault.allCases.filter { !active.contains($0) }.map { fault -> Change in
      let amount = amount(fault)
      return ("with \(fault.words)\(amount.isEmpty ? "" : " \(amount)")", .fault(DrivenFaultSetting(fault)))
    }
    return [("nothing; later manual acts are left out", nil)] + without + tuned(engine, typed)
      + first.map { ($0.words, $0) } + with
  }

  /// The first change that matches words and a number, such as `base 5` or `without 429`; `nil` for none.
  ///
  /// - Parameter engine: The engine at the start of the other branch.
  func change(_ words: String, of engine: Engine) -> Act? {
    changes(of: engine, words).first { $0.act != nil && ActionList.Entry("", $0.title).matches(words) }?.act
  }
}
