import Dispatch
import Platform

/// Performs long computations in the background; test doubles compute at once.
package protocol Worker: AnyObject, Sendable {
  /// Readable if there are results; `results()` resets it.
  var wakeDescriptor: Int32 { get }
  /// Starts a computation; returns at once.
  func start(_ work: Work)
  /// Results since the last call, in order of completion.
  func results() -> [WorkResult]
}

/// The result of a piece of work.
package struct WorkResult: Sendable {
  let id: Work.ID
  let result: any Sendable
}

/// Computes one piece of work at a time on a system thread.
package final class BackgroundWorker: Worker {
  private let queue = DispatchQueue(label: "mistertop.work", qos: .userInitiated)
  private let finished = Locked<[WorkResult]>([])
  private let wake = WakeSignal()

  package init() {}

  package var wakeDescriptor: Int32 { wake.descriptor }

  package func start(_ work: Work) {
    queue.async { [finished, wake] in
      let result = WorkResult(id: work.id, result: work.run())
      finished.withLock { $0.append(result) }
      wake.raise()
    }
  }

  package func results() -> [WorkResult] {
    wake.clear()
    return finished.withLock { results in
      defer { results = [] }
      return results
    }
  }
}

/// Folds messages into the model, and performs background work at once: for frames without an interactive user.
package func updateAtOnce(_ model: inout Model, _ messages: [Message]) -> [Effect] {
  let effects = update(&model, messages)
  return model.doAtOnce(effects)
}

extension Model {
  /// Performs the work among effects and its consequences; returns the other effects.
  mutating func doAtOnce(_ effects: [Effect]) -> [Effect] {
    var (others, waiting) = ([Effect](), effects)
    while !waiting.isEmpty {
      var results: [Message] = []
      for effect in waiting {
        if case .work(let work) = effect {
          results.append(.worked(work.id, work.run()))
        } else {
          others.append(effect)
        }
      }
      waiting = results.isEmpty ? [] : update(&self, results)
    }
    return others
  }
}
