import CBuild
import Platform

/// The version of this program, and the build that it came from.
package enum ProgramVersion {
  package static let number = packageVersion

  /// The commit, with a plus sign if files were changed since; `nil` for a build without the Makefile.
  static var commit: String? { fact(build_commit()) }
  /// The day of the commit.
  static var date: String? { fact(build_commit_date()) }
  /// The version of the compiler.
  static var swift: String? { fact(build_swift_version()) }

  private static func fact(_ text: UnsafePointer<CChar>) -> String? {
    let text = String(cString: text)
    return text == "unknown" ? nil : text
  }
}
