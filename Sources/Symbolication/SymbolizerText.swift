import Codecs
package import TelemetryCore

/// The language of `llvm-symbolizer`: a line asks for an address in a file, and a line of JSON answers.
package enum SymbolizerText {
  /// The arguments that make it answer so.
  package static let arguments = ["--output-style=JSON", "--functions=linkage", "--inlines", "--demangle"]
  /// Maximum bytes of a question: older versions split lines at 1,024.
  private static let questionLimit = 1_000

  /// An answer that cannot be used.
  package enum Failure: Error, Equatable {
    /// The symbolizer's own words.
    case refused(String)
    /// Not what `llvm-symbolizer` writes.
    case foreign
  }

  /// The question about an address; `nil` if the path cannot be written in one.
  package static func question(_ address: UInt64, in module: ModuleFile) -> [UInt8]? {
    var path = module.path
    if let architecture = module.object.architecture { path += ":" + architecture }
    let quote = path.utf8.contains(UInt8(ascii: "\"")) ? "'" : "\""
    guard !path.utf8.contains(where: { $0 < 0x20 }), !path.contains(quote) else { return nil }
    let question = Array("\(quote)\(path)\(quote) 0x\(String(address, radix: 16))\n".utf8)
    return question.count <= questionLimit ? question : nil
  }

  /// The functions in an answer, inlined ones first; none if the address has no symbol.
  package static func symbols(in answer: [UInt8]) throws(Failure) -> [RecordedCallStacks.Symbol] {
    guard let fields = (try? JSONValue(answer))?.fields else { throw .foreign }
    if let error = fields["Error"] { throw .refused(error.fields?["Message"]?.text ?? "") }
    guard let symbols = fields["Symbol"]?.elements else { throw .foreign }
    return symbols.compactMap { symbol in
      guard let fields = symbol.fields else { return nil }
      let line: Int? =
        if case .integer(let line)? = fields["Line"], line > 0 { Int(exactly: line) } else { nil }
      let name = SwiftDemangler.name(of: known(fields["FunctionName"]))
      let found = RecordedCallStacks.Symbol(function: name, file: known(fields["FileName"]), line: line)
      return found.function.isEmpty && found.file.isEmpty ? nil : found
    }
  }

  /// A name; empty where the symbolizer writes that it knows none.
  private static func known(_ json: JSONValue?) -> String {
    guard let text = json?.text, text != "??", text != "<invalid>" else { return "" }
    return text
  }
}
