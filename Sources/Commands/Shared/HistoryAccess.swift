import Codecs
import Essentials
package import History
import JSONLines
import Platform

/// Access to the history of files, with the indexes that are kept between runs.
package struct HistoryAccess: Sendable {
  private let folder: String?

  /// - Parameter indexFolder: The folder of the indexes; `nil` to keep none.
  package init(indexFolder: String?) {
    folder = indexFolder
  }

  package var cache: IndexCache? { folder.map { IndexCache(folder: URL(fileURLWithPath: $0)) } }
}
