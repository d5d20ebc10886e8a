import TestSupport
import Testing

@Suite("The action-model checker")
struct ModelCheckerTests {
  enum Action: Equatable {
    case push(Int), pop, clear
  }

  /// A stack with a defect: it forgets what is pushed beyond three, unless it was cleared before.
  struct Stack {
    var elements: [Int] = []
    var limit = 3

    mutating func perform(_ action: Action) {
      switch action {
      case .push(let element): if elements.count < limit { elements.append(element) }
      case .pop: _ = elements.popLast()
      case .clear:
        elements = []
        limit = .max
      }
    }
  }

  private func checker(limit: Int) -> ModelChecker<Action> {
    ModelChecker(
      length: 50,
      action: { random in
        switch random.next() % 8 {
        case 0: .clear
        case 1, 2, 3: .pop
        default: .push(Int(random.next() % 1000))
        }
      },
      simpler: { action in
        if case .push(let element) = action, element > 0 {
          [.push(0), .push(element / 2), .push(element - 1)]
        } else {
          []
        }
      },
      run: { actions, _ in
        var (stack, model) = (Stack(limit: limit), [Int]())
        for action in actions {
          stack.perform(action)
          switch action {
          case .push(let element): model.append(element)
          case .pop: _ = model.popLast()
          case .clear: model = []
          }
          if stack.elements != model { return "\(stack.elements) is not \(model)" }
        }
        return nil
      })
  }

  @Test func `A planted defect is found and shrunk to the least that shows it`() throws {
    let checker = checker(limit: 3)
    let failures = (0..<20).compactMap { checker.check(seed: $0) }
    try #require(!failures.isEmpty)
    for failure in failures {
      #expect(failure.actions == Array(repeating: .push(0), count: 4))
      #expect(failure.length == 50)
      #expect(
        failure.description
          == "seed \(failure.seed): [0, 0, 0] is not [0, 0, 0, 0] after 4 of 50 actions: push(0), push(0), push(0), push(0)"
      )
    }
  }

  @Test func `Nothing is found where nothing is wrong`() {
    let checker = checker(limit: .max)
    #expect((0..<20).allSatisfy { checker.check(seed: $0) == nil })
  }

  @Test func `A seed gives the same sequence again`() {
    #expect(checker(limit: 3).sequence(seed: 7) == checker(limit: 3).sequence(seed: 7))
    #expect(checker(limit: 3).sequence(seed: 7) != checker(limit: 3).sequence(seed: 8))
  }

  @Test func `The search for a shorter sequence ends where its runs end`() throws {
    var runs = 0
    let checker = ModelChecker<Int>(
      length: 100, shrinkingRuns: 5, action: { Int($0.next() % 10) },
      run: { actions, _ in
        runs += 1
        return actions.count == 100 ? "as long as it was" : nil
      })
    #expect(try #require(checker.check(seed: 1)).actions.count == 100)
    #expect(runs == 6)
  }
}
