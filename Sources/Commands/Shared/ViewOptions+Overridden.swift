import DashboardCore
import TerminalUI

extension ViewOptions {
  /// The choices that have no effect on a terminal, each with the reason.
  ///
  /// - Parameters:
  ///   - found: What the terminal offers.
  ///   - configuration: The choices of the configuration, with which these options are completed.
  ///   - locale: The locale of the process.
  func overriddenChoices(
    on found: Capabilities, configuration: Configuration, locale: LocaleChoice
  ) -> [String] {
    let view = filled(from: configuration)
    var sentences = overridden
    if let glyphs = view.glyphs, glyphs != .ascii, found.repertoire == .ascii {
      sentences.append("ASCII instead of \(glyphs.rawValue): \(locale.reasonAgainstUTF8)")
    }
    if obeysNoColor, let colors = configuration.colors, colors != .none {
      sentences.append("No colors: NO_COLOR overrides colors: \(colors.name) of the configuration")
    } else if let refusal = view.colors.flatMap({ found.refusal(of: $0) }) {
      sentences.append(refusal)
    }
    // The theme of the configuration is for all terminals; one that is typed is for this.
    if let theme, theme != Theme.automatic, view.capabilities(default: found).depth == .none {
      sentences.append("--theme \(theme) has no effect without colors")
    }
    return sentences
  }

  /// The options that have no effect where nothing is drawn.
  var overriddenWithoutScreen: [String] {
    let names = [
      theme.map { "--theme \($0)" }, obeysNoColor ? nil : colors.map { "--colors \($0.name)" },
      glyphs.flatMap { $0 == .ascii ? nil : "--glyphs \($0.rawValue)" },
    ].compactMap(\.self)
    return names.isEmpty
      ? [] : ["Lines of text have no screen: " + names.joined(separator: ", ") + " has no effect"]
  }
}

/// The locale that the environment asks for.
struct LocaleChoice: Equatable {
  private let variable: String?
  private let name: String

  init(environment: [String: String]) {
    variable = ["LC_ALL", "LC_CTYPE", "LANG"].first { !(environment[$0] ?? "").isEmpty }
    name = variable.flatMap { environment[$0] } ?? ""
  }

  /// The reason why the locale of the process is not UTF-8, and the remedy.
  var reasonAgainstUTF8: String {
    guard let variable else { return "no locale is set; LC_ALL=C.UTF-8 is one with UTF-8" }
    let setting = "\(variable)=\(SafeText.sanitized(String(name.prefix(40))))"
    let isNamedSo = name.uppercased().replacing("-", with: "").contains("UTF8")
    return isNamedSo
      ? "\(setting) is not installed; LC_ALL=C.UTF-8 is" : "\(setting) is not UTF-8; LC_ALL=C.UTF-8 is"
  }
}
