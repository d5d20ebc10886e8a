import Codecs
import Essentials
import MisterMetricsCore
import TelemetryCore

/// A crash diagnostic in the form of Apple's crash reports (`.ips`): a line of JSON with the facts of the incident, then
/// the report as JSON.
///
/// Holds what the payload has: a report of the system also knows registers and the sizes of images.
struct CrashReport {
  /// The name of its file: `Shop-2025-03-29-08-00-00-1f2e3d4c-1.ips`.
  let name: String
  /// The bytes of its file.
  let bytes: [UInt8]

  /// - Parameters:
  ///   - time: The end of the payload's period.
  ///   - hash: The hash of the payload.
  ///   - number: The place of the crash in the payload, from 1.
  ///   - symbols: Names the functions; `nil` for none.
  init(
    _ crash: CrashDiagnostic, time: PayloadTime?, hash: PayloadHash, number: Int,
    symbols: (any CallStackSymbols)?
  ) {
    let images = CrashImages(crash.callStackTree?.callStacks ?? [], symbols: symbols)
    let app = Self.appName(crash, images)
    let stamp = Self.stamp(crash.timeStampEnd ?? crash.timeStampBegin ?? time)
    let incident = Self.incident(hash, number)
    let digits = stamp.prefix(19).map { "-:".contains($0) ? "-" : $0 == " " ? "-" : $0 }
    let file = Self.fileWord(app)
    name = "\(file)-\(String(digits))-\(hash.description.prefix(8))-\(number).ips"
    let header = Self.header(crash, app: app, stamp: stamp, incident: incident)
    let body = Self.body(crash, app: app, stamp: stamp, incident: incident, images)
    bytes = Array((header.compactText + "\n" + body.compactText + "\n").utf8)
  }

  // MARK: Parts

  private static func header(
    _ crash: CrashDiagnostic, app: String, stamp: String, incident: String
  ) -> JSONValue {
    object([
      ("app_name", .string(app)), ("name", .string(app)), ("timestamp", .string(stamp)),
      ("app_version", text(crash.applicationVersion)),
      ("build_version", text(crash.metaData.applicationBuildVersion)),
      ("bundleID", text(crash.metaData.bundleIdentifier)), ("os_version", text(crash.metaData.osVersion)),
      ("incident_id", .string(incident)), ("bug_type", .string("309")), ("platform", .integer(2)),
      ("is_first_party", .integer(0)), ("share_with_app_devs", .integer(0)),
    ])
  }

  private static func body(
    _ crash: CrashDiagnostic, app: String, stamp: String, incident: String, _ images: CrashImages
  ) -> JSONValue {
    let system = crash.metaData.system
    return object([
      ("procName", .string(app)), ("incident", .string(incident)), ("captureTime", .string(stamp)),
      ("pid", crash.metaData.pid.map { .integer(Int64($0)) }),
      ("modelCode", text(crash.metaData.deviceType)), ("cpuType", .string("ARM-64")),
      (
        "osVersion",
        system.map { system in
          object([
            ("train", .string("\(system.name) \(system.version)")), ("build", text(system.build)),
            ("releaseType", .string("User")),
          ])
        }
      ),
      (
        "bundleInfo",
        object([
          ("CFBundleShortVersionString", text(crash.applicationVersion)),
          ("CFBundleVersion", text(crash.metaData.applicationBuildVersion)),
          ("CFBundleIdentifier", text(crash.metaData.bundleIdentifier)),
        ])
      ),
      ("exception", exception(crash)), ("termination", termination(crash)),
      ("vmRegionInfo", text(crash.virtualMemoryRegionInfo)),
      ("asi", crash.exceptionReason.flatMap(uncaught)), ("faultingThread", .integer(Int64(images.faulting))),
      ("threads", .array(images.threads)), ("usedImages", .array(images.used)),
    ])
  }

  private static func exception(_ crash: CrashDiagnostic) -> JSONValue {
    let type = crash.exceptionName ?? crash.exceptionType.map { "EXC_\($0)" } ?? "EXC_CRASH"
    let code = crash.exceptionCode.map { code in
      let digits = String(UInt64(bitPattern: Int64(code)), radix: 16)
      return "0x" + String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
    return object([
      ("type", .string(type)), ("signal", text(crash.signalName)), ("codes", text(code)),
      ("rawCodes", crash.exceptionCode.map { .array([.integer(Int64($0))]) }),
    ])
  }

  private static func termination(_ crash: CrashDiagnostic) -> JSONValue? {
    guard let words = crash.terminationReason, !words.isEmpty else { return nil }
    return object([
      ("namespace", text(crash.termination?.namespace)),
      ("code", (crash.termination?.code).map { JSONValue($0) }), ("indicator", .string(words)),
    ])
  }

  /// The words of an uncaught exception, as the system puts them.
  private static func uncaught(_ reason: ExceptionReason) -> JSONValue? {
    let name = reason.exceptionName ?? reason.className ?? reason.exceptionType ?? ""
    let message = reason.composedMessage ?? reason.formatString ?? ""
    guard !name.isEmpty || !message.isEmpty else { return nil }
    let words = "*** Terminating app due to uncaught exception '\(name)', reason: '\(message)'"
    return .object(["CoreFoundation": .array([.string(words)])])
  }

  // MARK: Words

  /// The program, as far as the payload tells: the one that the last part of the bundle's identifier names, or the last
  /// caller of the thread that crashed.
  private static func appName(_ crash: CrashDiagnostic, _ images: CrashImages) -> String {
    let names = images.names
    let last = crash.metaData.bundleIdentifier?.split(separator: ".").last.map(String.init)
    if let last, let same = names.first(where: { $0.lowercased() == last.lowercased() }) { return same }
    return last ?? names.last ?? "App"
  }

  /// `2025-03-29 08:00:00.00 +0000`.
  private static func stamp(_ time: PayloadTime?) -> String {
    let date = time?.date(by: ZoneOffsets.utc) ?? Date(timeIntervalSinceReferenceDate: 0)
    let moment = date.ISO8601Format()
    return moment.prefix(10) + " " + moment.dropFirst(11).prefix(8) + ".00 +0000"
  }

  /// An identifier that is the same whenever the crash is exported.
  private static func incident(_ hash: PayloadHash, _ number: Int) -> String {
    let digits = Array(hash.description.uppercased())
    let tail = String(number, radix: 16, uppercase: true).suffix(4)
    let whole = String(digits.dropLast(tail.count)) + tail
    var parts: [Substring] = []
    var rest = whole[...]
    for size in [8, 4, 4, 4, 12] {
      parts.append(rest.prefix(size))
      rest = rest.dropFirst(size)
    }
    return parts.joined(separator: "-")
  }

  /// A name for a file: letters, digits and a few signs.
  private static func fileWord(_ text: String) -> String {
    let bytes = text.utf8.prefix(60).map { byte in
      byte.isWord || byte == UInt8(ascii: "_") ? byte : UInt8(ascii: "_")
    }
    return bytes.isEmpty ? "App" : String(decoding: bytes, as: UTF8.self)
  }

  private static func text(_ text: String?) -> JSONValue? { text.map(JSONValue.string) }

  private static func object(_ fields: [(String, JSONValue?)]) -> JSONValue {
    .object(Dictionary(fields.compactMap { key, value in value.map { (key, $0) } }) { first, _ in first })
  }
}

extension UInt8 {
  fileprivate var isWord: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
      || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
  }
}

/// The threads of a crash report with the images of their frames.
private struct CrashImages {
  private struct Image: Hashable {
    let uuid: String
    let name: String
    let base: UInt64
  }

  /// The threads, and the place of the one that crashed.
  private(set) var threads: [JSONValue] = []
  private(set) var faulting = 0
  private var images: [Image] = []
  private var places: [Image: Int] = [:]

  init(_ stacks: [CallStack], symbols: (any CallStackSymbols)?) {
    faulting = stacks.firstIndex { $0.threadAttributed == true } ?? 0
    for (number, stack) in stacks.enumerated() {
      var tree = CallStackTree()
      tree.callStacks = [stack]
      let recorded = RecordedCallStacks(tree)
      let kind = PayloadMetrics.diagnostic("crashDiagnostics").name
      let named = symbols?.symbolicated(recorded, of: kind) ?? recorded
      var fields: [String: JSONValue] = [
        "id": .integer(Int64(number)), "frames": .array(named.frames.flatMap { frames(of: $0, in: named) }),
      ]
      if number == faulting { fields["triggered"] = .bool(true) }
      threads.append(.object(fields))
    }
  }

  /// The names of the images, in the order of the frames.
  var names: [String] { images.map(\.name).filter { !$0.isEmpty } }

  var used: [JSONValue] {
    images.map { image in
      .object([
        "source": .string("P"), "arch": .string("arm64"), "base": JSONValue(image.base), "size": .integer(0),
        "uuid": .string(image.uuid.lowercased()), "name": .string(image.name), "path": .string(image.name),
      ])
    }
  }

  /// A frame, with those that were inlined into it before it.
  private mutating func frames(
    of frame: RecordedCallStacks.Frame, in stacks: RecordedCallStacks
  ) -> [JSONValue] {
    let offset = frame.offset ?? 0
    let binary = frame.binary.flatMap { stacks.binaries.indices.contains($0) ? stacks.binaries[$0] : nil }
    let address = frame.address ?? offset
    let image = Image(
      uuid: binary?.uuid ?? "", name: binary?.name ?? "", base: address >= offset ? address - offset : 0)
    let place = places[image] ?? images.count
    if place == images.count {
      places[image] = place
      images.append(image)
    }
    let bare: [String: JSONValue] = ["imageIndex": .integer(Int64(place)), "imageOffset": JSONValue(offset)]
    let symbols = frame.symbols ?? []
    guard !symbols.isEmpty else { return [.object(bare)] }
    return symbols.enumerated().map { index, symbol in
      var fields = bare
      if !symbol.function.isEmpty { fields["symbol"] = .string(symbol.function) }
      if !symbol.file.isEmpty { fields["sourceFile"] = .string(symbol.file) }
      fields["sourceLine"] = symbol.line.map { .integer(Int64($0)) }
      if index + 1 < symbols.count { fields["inline"] = .bool(true) }
      return .object(fields)
    }
  }
}
