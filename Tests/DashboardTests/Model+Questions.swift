import History
import TerminalUI

@testable import DashboardCore

// A model whose questions are answered, and whose work is done at once.
extension Model {
  /// Presses a key and answers what the model then wants to know.
  mutating func press(_ key: KeyPress, with answer: (HistoryQuery) -> HistoryAnswer) -> [Effect] {
    let effects = updateAtOnce(&self, [.input(.key(key))])
    self.answer(effects, with: answer)
    return effects
  }

  /// Answers every question that the effects ask, and those that come of the answers.
  mutating func answer(_ effects: [Effect], with answer: (HistoryQuery) -> HistoryAnswer) {
    var effects = effects
    var rounds = 0
    while let query = effects.lazy.compactMap({ if case .ask(let query) = $0 { query } else { nil } }).last {
      var news = HistoryNews()
      news.answer = answer(query)
      effects = updateAtOnce(&self, [.history(news)])
      rounds += 1
      precondition(rounds < 10, "questions without end")
    }
  }
}
