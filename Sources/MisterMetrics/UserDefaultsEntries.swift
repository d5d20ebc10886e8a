import Foundation
import MisterMetricsCore

/// The JSON array under one key of a defaults database, and its entries.
struct UserDefaultsEntries {
  private(set) var entries: [MetricEntry] = []
  /// Number of elements of the array that are not entries.
  private(set) var undecodable = 0

  private let defaults: UserDefaults
  private let key: String
  /// The array's text without its brackets; grows by one element per record, so that nothing is encoded twice.
  private var elements: [UInt8] = []
  private var isSynchronizingScheduled = false

  init(defaults: sending UserDefaults, key: String) {
    self.defaults = defaults
    self.key = key
  }

  /// Loads the current contents of the key.
  mutating func read() {
    (entries, undecodable, elements) = ([], 0, [])
    guard let data = defaults.data(forKey: key) else { return }
    guard let found = try? Self.decoder.decode([MaybeEntry].self, from: data), let inside = Self.inside(data)
    else {
      undecodable = 1
      // The next record overwrites the key, but someone may still be able to use its contents.
      defaults.set(data, forKey: key + ".damaged")
      return
    }
    entries = found.compactMap(\.entry)
    undecodable = found.count - entries.count
    elements = inside
  }

  /// Adds entries and writes the key.
  mutating func append(_ new: [MetricEntry]) throws(MetricError) {
    var grown = elements
    for entry in new {
      if !grown.isEmpty { grown.append(UInt8(ascii: ",")) }
      try LineEncoder.appendObject(entry, to: &grown)
    }
    elements = grown
    entries += new
    defaults.set(Data([UInt8(ascii: "[")] + elements + [UInt8(ascii: "]")]), forKey: key)
  }

  /// Synchronizes the process's view of the database with the disk.
  ///
  /// On Linux, changes do not reach the disk or other processes without this; elsewhere the system does it
  /// automatically.
  mutating func synchronize() {
    isSynchronizingScheduled = false
    defaults.synchronize()
  }

  /// - Returns: True if synchronizing has to be scheduled.
  mutating func scheduleSynchronizing() -> Bool {
    defer { isSynchronizingScheduled = true }
    return !isSynchronizingScheduled
  }

  /// Removes the key.
  mutating func clear() {
    defaults.removeObject(forKey: key)
    synchronize()
    (entries, undecodable, elements) = ([], 0, [])
  }

  /// The text between the brackets of a JSON array.
  private static func inside(_ array: Data) -> [UInt8]? {
    guard let open = array.firstIndex(of: UInt8(ascii: "[")),
      let close = array.lastIndex(of: UInt8(ascii: "]")),
      open < close
    else { return nil }
    let inside = array[array.index(after: open)..<close]
    let isBlank = inside.allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) }
    return isBlank ? [] : Array(inside)
  }

  private static let decoder = JSONDecoder()
}

/// An element of the stored array; anything other than an entry decodes as `nil`.
private struct MaybeEntry: Decodable {
  let entry: MetricEntry?

  init(from decoder: any Decoder) throws {
    entry = try? MetricEntry(from: decoder)
  }
}
