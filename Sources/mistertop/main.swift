import Commands

try await Stats(workers: Int(CommandLine.arguments[2]) ?? 2).run(path: CommandLine.arguments[1])
